import { TriggerContent } from '@millrace/contract'
import type { Json, JsonObject } from '@millrace/engine'
import { isObject } from '@millrace/engine/definition'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { Failure } from '#command/failure.ts'

/** A file of starts whose content is not checked yet. */
export interface StartsFile {
  readonly file: string
  /** `namespace/name`. */
  readonly workflow: string
  readonly starts: readonly Json[]
  /** The line of a member, from 1. */
  readonly lineOf: (path: readonly PropertyKey[]) => number
}

/** A start that a file wants, with all defaults. */
export interface WantedStart {
  readonly content: ReturnType<typeof TriggerContent.parse>
  /** Whether the file says if it is enabled. */
  readonly saysEnabled: boolean
  /** Of a webhook: the name of its secret, which is in no file of starts. */
  readonly secretFrom: string | undefined
}

/** Reads a file of starts. Throws a failure that names the line and what is wrong with it. */
export function readStarts(file: string, text: string): StartsFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, version: '1.2' })
  const [fault] = document.errors
  if (fault !== undefined) throw new Failure(`${file}:${lines.linePos(fault.pos[0]).line}: ${fault.message.split('\n', 1)[0]}`)
  const lineOf = (path: readonly PropertyKey[]) => lines.linePos(offsetIn(document, path)).line
  const refuse = (path: readonly PropertyKey[], detail: string) => {
    throw new Failure(`${file}:${lineOf(path)}: ${detail}`, { hint: '"millrace starts WORKFLOW --yaml" prints such a file.' })
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- YAML of the core schema is JSON, but for keys that are no text.
  const content = document.toJS({ maxAliasCount: 100 }) as Json
  if (!isObject(content)) return refuse([], 'A file of starts has the members `workflow` and `starts`.')
  const { workflow, starts, ...others } = content
  const [other] = Object.keys(others)
  if (other !== undefined) return refuse([other], `\`${other}\` is no member of a file of starts, which are \`workflow\` and \`starts\`.`)
  if (typeof workflow !== 'string') return refuse(['workflow'], '`workflow` must be NAMESPACE/NAME of its document.')
  if (!Array.isArray(starts)) return refuse(['starts'], '`starts` must be a list.')
  return { file, workflow, starts, lineOf }
}

/** Where a member begins in the text; where the nearest part around it begins, if there is no such member. */
function offsetIn(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

/** Checks the starts of a file as the server does, after `workflows` of events are ids. @throws a failure that lists everything that is wrong. */
export function checkStarts({ file, starts, lineOf }: StartsFile): readonly WantedStart[] {
  const faults: string[] = []
  const names = new Map<string, number>()
  const wanted = starts.flatMap((start, index) => {
    const { start: body, secretFrom } = withoutSecret(start)
    const read = TriggerContent.safeParse(body)
    const note = (path: readonly PropertyKey[], detail: string) =>
      faults.push(`${file}:${lineOf(['starts', index, ...path])}: ${['', 'starts', index, ...path].map(String).join('/')}: ${detail}`)
    if (secretFrom !== undefined && typeof secretFrom !== 'string')
      note(['webhook', 'signature', 'secretFrom'], 'Must be the name of a secret.')
    if (!read.success) {
      for (const { path, message } of read.error.issues) note(path, message)
      return []
    }
    const { name } = read.data
    const first = names.get(name)
    if (first !== undefined) note(['name'], `"${name}" is also the name of start ${first + 1} of the file. A start is found by its name.`)
    names.set(name, index)
    if (read.data.webhook?.signature.secret !== undefined)
      note(
        ['webhook', 'signature', 'secret'],
        'A file has no secrets. Write `secretFrom: NAME`, and give the secret by --secret NAME=VALUE or --secrets-file.',
      )
    const saysEnabled = isObject(start) && 'enabled' in start
    return [{ content: read.data, saysEnabled, secretFrom: typeof secretFrom === 'string' ? secretFrom : undefined }]
  })
  if (faults.length > 0) throw new Failure(`Nothing was changed:\n  ${faults.join('\n  ')}`)
  return wanted
}

/** A start without the name of its secret. */
function withoutSecret(start: Json): { readonly start: Json; readonly secretFrom: Json | undefined } {
  const { webhook }: JsonObject = isObject(start) ? start : {}
  const { signature }: JsonObject = isObject(webhook) ? webhook : {}
  if (!isObject(start) || !isObject(webhook) || !isObject(signature)) return { start, secretFrom: undefined }
  const { secretFrom, ...rest } = signature
  return { start: { ...start, webhook: { ...webhook, signature: rest } }, secretFrom }
}
