/** A definition of these tasks, given as YAML without indentation. */
export function definition(tasks: string, { name = 'test', version = '1.0.0', extra = '' } = {}): string {
  return `document: { dsl: 1.0.3, namespace: test, name: ${name}, version: ${version} }\n${extra}do:\n${tasks.trim().replaceAll(/^/gm, '  ')}\n`
}
