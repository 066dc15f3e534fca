import { spawn } from 'node:child_process'

export interface GuardOptions {
  /** Process id of PostgreSQL. */
  readonly pid: number
  readonly dataDirectory: string
  /** How long a successor has to take PostgreSQL over. */
  readonly graceSeconds: number
  /** PostgreSQL is left alone if by then this file no longer holds this text: somebody else has taken it over. */
  readonly owner?: { readonly file: string; readonly token: string }
  /** Removed afterwards. */
  readonly remove?: string
}

// The pipe at `cat` closes when we end, even by SIGKILL. Number, owner and directory are checked again just before the signal.
const script = `
cat >/dev/null
sleep "$2"
if [ -n "$4" ] && ! grep -q -F "$5" "$4" 2>/dev/null; then exit 0; fi
read -r pid <"$3/postmaster.pid" 2>/dev/null
if [ "$pid" = "$1" ]; then kill -INT "$1" 2>/dev/null; fi
if [ -n "$6" ]; then
  i=0
  while kill -0 "$1" 2>/dev/null && [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done
  rm -rf "$6"
fi
`

/**
 * Starts a small shell that stops PostgreSQL when we are killed and nobody takes it over. Returns how to call it off.
 * Where there is no shell, PostgreSQL lives on until the next start adopts it.
 */
export function startGuard(options: GuardOptions): () => void {
  const { pid, dataDirectory, graceSeconds, owner, remove } = options
  const args = [String(pid), String(graceSeconds), dataDirectory, owner?.file ?? '', owner?.token ?? '', remove ?? '']
  const shell = spawn('/bin/sh', ['-c', script, 'millrace-guard', ...args], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  // The pipe alone must not keep a process alive that has nothing else to do. The declared type is that of any stream; it is a socket.
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return () => {
    if (shell.pid === undefined) return
    try {
      // The whole group: the shell waits for a child of its own.
      process.kill(-shell.pid, 'SIGKILL')
    } catch {
      // It is gone already.
    }
  }
}
