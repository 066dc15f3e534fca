import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// Loaded by `npm start` before the server: builds the interface beside it, if its sources changed. The server starts as fast as ever.
if (isMainThread) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url))], { stdio: ['ignore', 'ignore', 'inherit'] })
  child.on('spawn', () => {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  })
  child.unref()
}
