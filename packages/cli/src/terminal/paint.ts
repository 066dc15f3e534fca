import { styleText } from 'node:util'
import type { Output } from './terminal.ts'

type Styler = (text: string) => string

/** Styles for one stream: plain text unless it is a terminal with colours and `NO_COLOR` is unset (https://no-color.org). */
export interface Paint {
  readonly bold: Styler
  readonly dim: Styler
  readonly red: Styler
  readonly green: Styler
  readonly yellow: Styler
  readonly cyan: Styler
}

export function createPaint(output: Output): Paint {
  const styler = (format: keyof Paint): Styler => {
    return (text) => (text === '' ? '' : styleText(format, text, { stream: output, validateStream: true }))
  }
  return {
    bold: styler('bold'),
    dim: styler('dim'),
    red: styler('red'),
    green: styler('green'),
    yellow: styler('yellow'),
    cyan: styler('cyan'),
  }
}
