import type { ErrorCode, Fault } from '@millrace/contract'
import type { Json, JsonObject } from '@millrace/engine'
import type { Trigger } from '#modules/triggers/model.ts'
import { isObject } from './form-fields.ts'
import { unescapePointer } from '#platform/json-pointer.ts'

/** What a form sent. */
export interface Submission {
  /** What differs from any other request. */
  readonly content: JsonObject
  readonly deliveryId: string | undefined
  /** Names the cause: the same cause starts once. */
  readonly cause: string | undefined
  /** Whether the content can start the workflow after a failure: files that were refused are gone. */
  readonly isReplayable: boolean
}

/** Makes a submission of the fields of a request; undefined for a request like any other. Its Faults refuse the request. */
export type ReadSubmission = (body: Json) => Promise<Submission | undefined>

/** The mapping of a webhook with a form that has none: its input is the body, and of another webhook the whole request. */
const bodyMapping = '.body'

/** A webhook as it starts its workflow. */
export function startedAs<T extends Pick<Trigger, 'webhook' | 'mapping'>>(trigger: T): T {
  return trigger.webhook?.form === undefined || trigger.mapping !== undefined ? trigger : { ...trigger, mapping: bodyMapping }
}

/**
 * Whether a request to a webhook with a form was refused because of what a person filled in, which says nothing about the webhook: anyone who knows the
 * address could pause it.
 */
export function isOfSender(
  { webhook, mapping }: Pick<Trigger, 'webhook' | 'mapping'>,
  { code, details }: Fault,
  content: JsonObject | undefined,
): boolean {
  if (webhook?.form === undefined || !isOfValues(code)) return false
  if (mapping === bodyMapping) return true
  const body = content?.['body']
  // With a mapping of its own, only what names a member that was sent is surely the sender's.
  return (details.errors ?? []).some(({ pointer }) => isObject(body) && Object.hasOwn(body, nameIn(pointer)))
}

/** Whether a start was refused because of values of its input. */
export function isOfValues(code: ErrorCode): boolean {
  return code === 'input_invalid' || code === 'personal_data_blocked'
}

/** The member of the input that a pointer names. */
function nameIn(pointer: string): string {
  const [, , name = ''] = pointer.split('/')
  return unescapePointer(name)
}
