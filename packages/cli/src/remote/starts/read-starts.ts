import { TriggerContent, wrongMembers } from '@millrace/contract'
import { parseDefinition } from '@millrace/dsl'
import type { Json, JsonObject } from '@millrace/engine'
import { isObject } from '@millrace/engine/definition'
import { Failure } from '#command/failure.ts'

/** A file of starts whose content is not checked yet. */
export interface StartsFile {
  readonly file: string
  /** `namespace/name`. */
  readonly workflow: string
  readonly starts: readonly Json[]
  /** The line of the value at a pointer, from 1; of what is around it, if there is no such value. */
  readonly lineOf: (pointer: string) => number
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
  const { document: content, positions, diagnostics } = parseDefinition(text)
  const lineOf = (pointer: string) => positions.nearest(pointer).start.line
  const refuse = (line: number, detail: string) => {
    throw new Failure(`${file}:${line}: ${detail}`, { hint: '"millrace starts WORKFLOW --yaml" prints such a file.' })
  }
  const [fault] = diagnostics
  if (fault !== undefined) return refuse(fault.line, fault.message)
  if (!isObject(content)) return refuse(1, 'A file of starts has the members `workflow` and `starts`.')
  const { workflow, starts, ...others } = content
  const [other] = Object.keys(others)
  if (other !== undefined)
    return refuse(lineOf(pointerOf([other])), `\`${other}\` is no member of a file of starts, which are \`workflow\` and \`starts\`.`)
  if (typeof workflow !== 'string') return refuse(lineOf('/workflow'), '`workflow` must be NAMESPACE/NAME of its document.')
  if (!Array.isArray(starts)) return refuse(lineOf('/starts'), '`starts` must be a list.')
  return { file, workflow, starts, lineOf }
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Checks the starts of a file as the server does, after `workflows` of events are ids. @throws a failure that lists everything that is wrong. */
export function checkStarts({ file, starts, lineOf }: StartsFile): readonly WantedStart[] {
  const faults: string[] = []
  const names = new Map<string, number>()
  const wanted = starts.flatMap((start, index) => {
    const { start: body, secretFrom } = withoutSecret(start)
    const read = TriggerContent.safeParse(body)
    const note = (path: readonly PropertyKey[], detail: string) => {
      const pointer = pointerOf(['starts', index, ...path])
      faults.push(`${file}:${lineOf(pointer)}: ${pointer}: ${detail}`)
    }
    if (secretFrom !== undefined && typeof secretFrom !== 'string')
      note(['webhook', 'signature', 'secretFrom'], 'Must be the name of a secret.')
    if (!read.success) {
      for (const { path, message } of read.error.issues) note(path, message)
      return []
    }
    const { name, kind } = read.data
    for (const { pointer, detail } of wrongMembers(kind, read.data)) note(pointer.slice(1).split('/'), detail)
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
