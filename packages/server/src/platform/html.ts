/** Markup that may stand in a page as it is. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | undefined | readonly Part[]

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Markup with its parts filled in: text is escaped, markup is not, `undefined` is nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, piece, index) => text + (index === 0 ? '' : write(parts[index - 1])) + piece, ''))
}

function write(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part))
  return part.map(write).join('')
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** The few forms that descriptions use: paragraphs, lists by `-`, `code` and **emphasis**. */
export function prose(text: string): Html {
  const blocks = text.split(/\n\n+/).map((block) => {
    const lines = block.split('\n')
    if (lines.every((line) => line.startsWith('- '))) return html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`
    return html`<p>${inline(block)}</p>`
  })
  return html`${blocks}`
}

export function inline(text: string): Html {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/)
  return html`${pieces.map((piece) => {
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`
    if (piece.startsWith('**')) return html`<strong>${piece.slice(2, -2)}</strong>`
    return piece
  })}`
}
