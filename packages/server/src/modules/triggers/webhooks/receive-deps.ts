import type { Engine, Json } from '@millrace/engine'
import type { DiscloseOutput } from '#modules/executions/index.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import type { Fire } from '#modules/triggers/firing/fire.ts'
import type { FailedTrigger } from '#modules/triggers/firing/firing-store.ts'
import type { Trigger, WebhookSettings } from '#modules/triggers/model.ts'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import type { NewDelivery } from './delivery-store.ts'

/** Starts a test of the draft of a workflow with an input. */
export type StartTest = (
  tester: { readonly accountId: string; readonly actor: string },
  workflowId: string,
  input: Json,
) => Promise<{ readonly id: string }>

/** What receiving requests to webhooks needs. */
export interface ReceiveDeps {
  readonly database: Pick<Database, 'system' | 'account'>
  readonly box: SecretBox
  readonly fire: Pick<Fire, 'start' | 'input' | 'passes'>
  readonly startTest: StartTest
  /** Applies the privacy policy of the workflow to a request that is shown. */
  readonly admitInput: (shown: {
    readonly accountId: string
    readonly workflowId: string
    readonly input: Json
    readonly actor: string
    readonly target: string
  }) => Promise<Json>
  readonly files: Pick<AccountFiles, 'receive' | 'publish' | 'discard' | 'keep'>
  /** A text as the privacy policy of the workflow for inputs leaves it; undefined if it is refused. */
  readonly copyOfInput: (accountId: string, workflowId: string, text: string) => Promise<string | undefined>
  readonly engine: Pick<Engine, 'outcome'>
  readonly disclose: DiscloseOutput
  /** Called in the transaction that pauses a trigger. */
  readonly onPaused: (tx: Tx, trigger: FailedTrigger) => Promise<void>
  readonly now: () => number
  readonly newId: () => string
  readonly randomBytes: (size: number) => Uint8Array
  /** Aborts when the server closes. */
  readonly closing: AbortSignal
  readonly onError: (error: unknown) => void
  /** Called when a file of a form could not be kept or deleted. The maintenance decides about it later. */
  readonly onFileError: (error: unknown) => void
}

export type Webhook = Trigger & { readonly webhook: WebhookSettings }

/** Records a request that a webhook received. */
export type RecordDelivery = (
  webhook: Webhook,
  delivery: Omit<NewDelivery, 'id' | 'accountId' | 'triggerId' | 'at'> & { readonly id?: string },
) => Promise<void>
