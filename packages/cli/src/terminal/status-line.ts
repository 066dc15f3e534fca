import { truncate } from './printable.ts'
import { columnsOf, type Output } from './terminal.ts'

/** The last line of a terminal, which is rewritten while work is in progress. */
export interface StatusLine {
  /** Writes lines that stay, above the status. */
  print(text: string): void
  /** Leaves the last line to others until the returned function is called. */
  pause(): () => void
  close(): void
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const
const frameMs = 100
const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'
const clearLine = '\r\u001b[2K'

/** Shows what `status` says, ten times a second; nothing while it says nothing. For terminals only. */
export function createStatusLine(output: Output, status: () => string | undefined): StatusLine {
  let frame = 0
  let shown = false
  let pauses = 0
  const draw = (): void => {
    const text = pauses > 0 ? undefined : status()
    if (text === undefined) return clear()
    output.write(`${shown ? '' : hideCursor}${clearLine}${frames[frame % frames.length]} ${truncate(text, columnsOf(output) - 3)}`)
    shown = true
  }
  const clear = (): void => {
    if (shown) output.write(`${clearLine}${showCursor}`)
    shown = false
  }
  const timer = setInterval(() => {
    frame += 1
    draw()
  }, frameMs)
  // The timer animates the line; it does not keep the process alive.
  timer.unref()
  return {
    print(text) {
      clear()
      output.write(text)
      draw()
    },
    pause() {
      pauses += 1
      clear()
      return () => void (pauses -= 1)
    },
    close() {
      clearInterval(timer)
      clear()
    },
  }
}
