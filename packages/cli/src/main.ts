#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Only this file is loaded before it, so that the cache contains all others. Where there is no home, or none that can be
// written to, it starts as slowly as the first time. Not in the folder for temporary files, where others could put code into it.
try {
  enableCompileCache(join(homedir(), '.cache', 'millrace'))
} catch {
  // A user without a home: an installation in a container.
}
const { runProgram } = await import('./program.ts')
await runProgram()
