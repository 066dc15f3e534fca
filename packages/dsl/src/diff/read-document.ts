import { parseDocument } from 'yaml'

/** A text as the members of its document, or what keeps it from being read. */
export type ReadDocument =
  | { readonly ok: true; readonly document: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly detail: string }

/** Reads YAML or JSON without validating it. */
export function readDocument(text: string): ReadDocument {
  const parsed = parseDocument(text, { prettyErrors: false })
  const [error] = parsed.errors
  if (error !== undefined) return { ok: false, detail: error.message }
  try {
    const document: unknown = parsed.toJS({ maxAliasCount: 100 })
    return isObject(document) ? { ok: true, document } : { ok: false, detail: 'it is no mapping' }
  } catch (cause) {
    // Too many aliases.
    return { ok: false, detail: cause instanceof Error ? cause.message : String(cause) }
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
