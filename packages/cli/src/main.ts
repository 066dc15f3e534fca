#!/usr/bin/env node
import nodeModule from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { nodeVersionProblem } from './node-version.ts'

// Before anything that an old Node.js does not have is loaded.
const problem = nodeVersionProblem(process.versions.node)
if (problem !== undefined) {
  process.stderr.write(`error: ${problem}\n`)
  process.exit(1)
}

// Only these files are loaded before it, so that the cache contains all others. Where there is no home, or none that can be
// written to, it starts as slowly as the first time. Not in the folder for temporary files, where others could put code into it.
try {
  nodeModule.enableCompileCache(join(homedir(), '.cache', 'millrace'))
} catch {
  // A user without a home: an installation in a container.
}
const { runProgram } = await import('./program.ts')
await runProgram()
