/**
 * The same text as the host keeps it for names of properties. A key cut out of a program's text is an ordinary string, which
 * the host has to look up in its table of names at every access; this does it once.
 */
export function interned(key: string): string {
  const [name] = Object.keys({ [key]: 0 })
  return name ?? key
}
