import { hasOnly } from './uris.ts'

export function isJsonPointer(text: string): boolean {
  return (text === '' || text.startsWith('/')) && !/~(?![01])/.test(text)
}

/** A JSON Pointer as the fragment of a URI. */
export function isJsonPointerFragment(text: string): boolean {
  return text.startsWith('#') && hasOnly(text.slice(1), /[^\w~.!$&'()*+,;:=@/%-]/) && isJsonPointer(text.slice(1))
}

export function isRelativeJsonPointer(text: string): boolean {
  const end = text.search(/\D/)
  const up = end === -1 ? text : text.slice(0, end)
  if (up === '' || (up.length > 1 && up.startsWith('0'))) return false
  const rest = text.slice(up.length)
  return rest === '#' || isJsonPointer(rest)
}
