import { truncate } from './printable.ts'
import { columnsOf, type Output } from './terminal.ts'

/** The last line of a terminal, which is written over again and again while something goes on. */
export interface StatusLine {
  /** Writes lines that stay, above the status. */
  print(text: string): void
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
  const draw = (): void => {
    const text = status()
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
  // The picture moves as long as there is something to show; it is no reason to go on.
  timer.unref()
  return {
    print(text) {
      clear()
      output.write(text)
      draw()
    },
    close() {
      clearInterval(timer)
      clear()
    },
  }
}
