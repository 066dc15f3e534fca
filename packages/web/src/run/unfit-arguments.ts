/** An argument that a function does not take. */
export interface UnfitArgument {
  /** The name of the function. */
  readonly called: string
  /** The name of the argument, with the names inside of it: `attachments.0.name`. */
  readonly argument: string
  /** What is wrong with it, in the words of the engine. */
  readonly detail: string
  /** The types that it may have and that it has, if that is what is wrong. */
  readonly type?: { readonly wanted: readonly JsonType[]; readonly is: JsonType }
}

/** What the detail of an error says of the arguments of a call; undefined for another detail. */
export function unfitArguments(detail: string): readonly UnfitArgument[] | undefined {
  const [, called, list] = /^what "([^"]+)" is called with does not fit its schema: ([^]+)$/.exec(detail) ?? []
  if (called === undefined || list === undefined) return undefined
  const found = list.split(/; (?=\/)/).map((text) => readFault(called, text))
  const read = found.filter((one) => one !== undefined)
  return read.length < found.length ? undefined : read
}

function readFault(called: string, text: string): UnfitArgument | undefined {
  const [, pointer, detail] = /^\/([^\s:]+): ([^]+)$/.exec(text) ?? []
  if (pointer === undefined || detail === undefined) return undefined
  const argument = pointer.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')
  const type = readTypes(detail)
  return { called, argument, detail, ...(type && { type }) }
}

const types = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'] as const
type JsonType = (typeof types)[number]

/** Of `must be a string or an array, but is null`. */
function readTypes(detail: string): UnfitArgument['type'] {
  if (!/^must be [^,]+, but is [a-z ]+$/.test(detail)) return undefined
  const wanted = detail.split(/\W+/).flatMap((word) => types.filter((type) => type === word))
  const is = wanted.pop()
  return is === undefined || wanted.length === 0 ? undefined : { wanted, is }
}
