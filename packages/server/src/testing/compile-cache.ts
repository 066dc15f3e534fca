/** For the environment of a process that a test starts: where compiled code is kept. */
export function compileCache(): Readonly<Record<string, string>> {
  const directory = process.env['NODE_COMPILE_CACHE']
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory }
}
