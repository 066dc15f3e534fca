import { parseDocument } from 'yaml'

/** A text in the layout of all definitions, or what keeps it from being read. */
export type Formatted =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly detail: string; readonly line: number }

/**
 * Formats a definition: two spaces of indentation, long lines unbroken, one line break at the end; JSON as JSON. Comments, empty lines, quotes
 * and the order of members stay. The document says the same before and after.
 */
export function formatDefinition(text: string): Formatted {
  const isJson = /^\s*\{/.test(text)
  const document = parseDocument(text, { version: '1.2', prettyErrors: false, keepSourceTokens: false })
  const [error] = document.errors
  if (error !== undefined) return { ok: false, detail: error.message, line: lineAt(text, error.pos[0]) }
  if (!isJson) return { ok: true, text: document.toString({ indent: 2, lineWidth: 0, flowCollectionPadding: true }) }
  const json = parsedJson(text)
  // What begins like JSON may be a mapping of YAML in flow style.
  const formatted = json === undefined ? document.toString({ indent: 2, lineWidth: 0 }) : `${JSON.stringify(json, null, 2)}\n`
  return { ok: true, text: formatted }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
