/** The name of a task is the last part of its pointer; undefined for the workflow itself. */
export function stepOf(pointer: string): string | undefined {
  return pointer
    .split('/')
    .findLast((part) => part !== '' && !/^\d+$/.test(part) && part !== 'do')
    ?.replaceAll('~1', '/')
    .replaceAll('~0', '~')
}
