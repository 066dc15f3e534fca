/**
 * The reference of the task at a position: the position without visits, iterations and attempts, which stand at the end of a segment. Elsewhere `~1` is the
 * slash of a name. A name that ends with a slash and digits has the form of a visit, and is taken for one.
 */
export function taskReference(position: string): string {
  return position.replaceAll(/(?:~[1-9]\d*|\[\d+\]|!\d+)+(?=\/|$)/g, '')
}
