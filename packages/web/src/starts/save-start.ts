import type { groups, JsonValue, Reply, Sent } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import type { Trigger } from '#src/starts/what-starts.tsx'

type Created = Sent<(typeof groups)['triggers']['create']>['body']

/** What a form of starts gives; the member of its kind is among `settings`. */
export interface StartContent {
  readonly kind: Trigger['kind']
  readonly name: string
  readonly settings: Pick<Created, 'schedule' | 'webhook' | 'event' | 'watch'>
  /** Null for none. */
  readonly input?: JsonValue
  /** jq; empty for none. */
  readonly mapping?: string
  /** jq, of a webhook; empty for none. */
  readonly filter?: string
}

/** A form that makes a start of a workflow, or changes one. */
export interface StartFormProps {
  readonly workflow: string
  /** The start that is changed; undefined for a new one. */
  readonly trigger?: Trigger | undefined
  readonly done: () => Promise<unknown>
}

/** Makes a start of a workflow, or changes the given one unless it was changed meanwhile. */
export async function saveStart(
  { workflow, trigger }: Pick<StartFormProps, 'workflow' | 'trigger'>,
  { kind, name, settings, input, mapping, filter }: StartContent,
): Promise<Reply<(typeof groups)['triggers']['update']>> {
  const map = expressionOf(mapping)
  const condition = expressionOf(filter)
  if (trigger !== undefined) {
    const given = {
      ...(input === undefined ? {} : { input }),
      ...(map === undefined ? {} : { mapping: map }),
      ...(condition === undefined ? {} : { filter: condition }),
    }
    return api.triggers.update({ params: { id: trigger.id }, body: { name, ...settings, ...given } }, { ifMatch: trigger.revision })
  }
  const given = {
    ...(input === undefined || input === null ? {} : { input }),
    ...(map === undefined || map === null ? {} : { mapping: map }),
    ...(condition === undefined || condition === null ? {} : { filter: condition }),
  }
  return api.triggers.create({ body: { workflowId: workflow, kind, name, ...settings, ...given } })
}

/** Null for an empty one. */
function expressionOf(text: string | undefined): string | null | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? null : trimmed
}
