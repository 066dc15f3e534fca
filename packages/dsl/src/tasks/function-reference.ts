/** The function that the value of `call` names (dsl.md, Using Cataloged Functions). */
export type FunctionReference =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'cataloged'; readonly name: string; readonly version: string; readonly catalog: string }
  | { readonly kind: 'url'; readonly url: string }

/** Reads the value of `call`: a URL, `name:version@catalog`, or a plain name. */
export function functionReference(call: string): FunctionReference {
  if (/^[A-Za-z][A-Za-z0-9+\-.]*:\/\//.test(call)) return { kind: 'url', url: call }
  const match = /^([^:@]+):([^:@]+)@([^:@]+)$/.exec(call)
  const [, name, version, catalog] = match ?? []
  if (name === undefined || version === undefined || catalog === undefined) return { kind: 'name', name: call }
  return { kind: 'cataloged', name, version, catalog }
}
