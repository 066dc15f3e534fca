/** A key press, as far as a shortcut is known by it. */
type Press = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

/**
 * The key that shortcuts know a press by. A keyboard of another script, such as the Arabic one, has the letters of the Latin one in the same places: there the
 * place counts.
 */
export function keyOf({ key, code, shiftKey }: Press): string {
  if (key < '\u007f') return key
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter !== undefined) return shiftKey ? letter : letter.toLowerCase()
  return code === 'Slash' && !shiftKey ? '/' : key
}
