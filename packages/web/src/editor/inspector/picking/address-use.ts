import type { Json } from '@millrace/dsl'
import { jsonAt } from '#src/document/task-json.ts'

/** Whether the text at a pointer is an address that is called, or a path behind that of a connection. */
export function addressUse(json: Json, pointer: string): 'address' | 'path' | undefined {
  if (/\/with\/(?:.+\/)?endpoint(?:\/uri)?$|\/with\/ur[il]$/.test(pointer)) return 'address'
  const [, task, argument] = /^(.*)\/with\/(\w+)$/.exec(pointer) ?? []
  if (task === undefined || argument !== 'path') return undefined
  const call = jsonAt(json, `${task}/call`)
  return typeof call === 'string' && /^http\.request(?:[:@]|$)/.test(call) ? 'path' : undefined
}
