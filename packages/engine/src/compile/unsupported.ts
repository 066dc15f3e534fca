import { classifyTask, type Definition, isCallOf, type Task, type TaskList, taskEntries } from '@millrace/dsl'
import { patternFaults } from './schema-patterns.ts'

/** What a definition asks for that this engine does not do, and where. */
export interface Unsupported {
  /** JSON Pointer into the definition. */
  readonly pointer: string
  readonly what: string
}

export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError'
  readonly unsupported: readonly Unsupported[]
  constructor(unsupported: readonly Unsupported[]) {
    super(unsupported.map(({ pointer, what }) => `${pointer}: ${what}`).join('; '))
    this.unsupported = unsupported
  }
}

/** Everything in a valid definition that cannot be run here, so that it is said when the definition is saved and not when it runs. */
export function unsupportedIn(definition: Definition): readonly Unsupported[] {
  const found: Unsupported[] = []
  if (definition.use?.extensions !== undefined && definition.use.extensions.length > 0) {
    found.push({ pointer: '/use/extensions', what: 'extensions are not supported yet' })
  }
  if (definition.evaluate?.language !== undefined && definition.evaluate.language !== 'jq') {
    found.push({ pointer: '/evaluate/language', what: `expressions are written in jq, not in "${definition.evaluate.language}"` })
  }
  inData(definition, '', found)
  inList(definition.do, '/do', found)
  return found
}

function inList(list: TaskList, pointer: string, found: Unsupported[]): void {
  for (const { name, task, index } of taskEntries(list)) {
    inTask(task, `${pointer}/${index}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, found)
  }
}

function inTask(anyTask: Task, pointer: string, found: Unsupported[]): void {
  const { kind, task } = classifyTask(anyTask)
  inData(anyTask, pointer, found)
  switch (kind) {
    case 'do':
      return inList(task.do, `${pointer}/do`, found)
    case 'for':
      return inList(task.do, `${pointer}/do`, found)
    case 'fork':
      return inList(task.fork.branches, `${pointer}/fork/branches`, found)
    case 'try':
      inList(task.try, `${pointer}/try`, found)
      return inList(task.catch.do ?? [], `${pointer}/catch/do`, found)
    case 'call':
      if (!isCallOf(task, 'http')) found.push({ pointer: `${pointer}/call`, what: `"call: ${task.call}" is not supported yet` })
      return
    case 'run':
      if (task.run.workflow === undefined) found.push({ pointer: `${pointer}/run`, what: 'only "run: workflow" is supported yet' })
      return
    case 'emit':
    case 'listen':
      found.push({ pointer: `${pointer}/${kind}`, what: `"${kind}" is not supported yet` })
      return
    case 'set':
    case 'switch':
    case 'raise':
    case 'wait':
  }
}

function inData(data: Pick<Task, 'input' | 'output' | 'export'>, pointer: string, found: Unsupported[]): void {
  for (const part of ['input', 'output', 'export'] as const) {
    const schema = data[part]?.schema
    if (schema !== undefined && 'resource' in schema) {
      found.push({
        pointer: `${pointer}/${part}/schema/resource`,
        what: 'schemas at another place are not supported yet; write the schema in "document"',
      })
    }
    if (schema !== undefined && 'document' in schema) {
      const at = `${pointer}/${part}/schema/document`
      for (const fault of patternFaults(schema.document)) found.push({ pointer: at + fault.pointer, what: fault.what })
    }
  }
}
