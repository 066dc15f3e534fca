import type { ModelFinish, ModelKind, ModelRole } from '@millrace/contract'
import type { Json } from '@millrace/engine'

/** One model at one endpoint, as the operator or an account configured it. */
export interface ModelEndpoint {
  readonly name: string
  readonly kind: ModelKind
  readonly url: string
  readonly model: string
  readonly key: { reveal(): string } | undefined
  readonly roles: readonly ModelRole[]
  readonly timeoutMs: number
  readonly retries: number
  readonly maxOutputTokens: number
  readonly structured: boolean
  /** Of a million tokens, in the currency of the operator; undefined: its calls cost nothing. */
  readonly prices?: { readonly input: number; readonly output: number } | undefined
  /** Set for a model that an account connected with its own key; otherwise the installation pays. */
  readonly owner?: 'account'
  /** Where the account says that the endpoint processes data. */
  readonly region?: string | undefined
}

/** A message of a conversation with a model. */
export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly ModelImage[] }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls?: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly id: string; readonly name: string; readonly content: string }

interface ModelImage {
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** A tool that a model may call; `parameters` is a JSON Schema. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, Json>>
}

/** `arguments` is the text that the model wrote: JSON, unless the model is wrong. */
export interface ModelToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export interface ModelUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Millionths of the currency of the prices. */
  readonly costMicros: number
}

export interface CompletionRequest {
  readonly accountId: string
  /** The workflow whose execution asks, if one does. */
  readonly workflowId?: string | undefined
  readonly executionId?: string
  /** Of the task that asks. */
  readonly position?: string | undefined
  readonly role: Exclude<ModelRole, 'speech' | 'embedding'>
  readonly messages: readonly ModelMessage[]
  readonly tools?: readonly ModelTool[]
  /** JSON Schema of an object that the model is to return. */
  readonly schema?: Readonly<Record<string, Json>>
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly signal: AbortSignal
  /** Names the request if it may be repeated after a crash: its tokens are metered once. */
  readonly sourceId?: string
  /** Called before a model of the installation is asked; rejects to refuse it. Models of the account are asked without it. */
  readonly beforeInstallation?: () => Promise<void>
}

export interface Completion {
  readonly text: string
  /** The parsed output when a schema was given; undefined if it is not JSON. */
  readonly data: Json | undefined
  readonly toolCalls: readonly ModelToolCall[]
  readonly finish: ModelFinish
  readonly usage: ModelUsage
  /** Name of the model in the configuration. */
  readonly model: string
  /** Id of the model at its endpoint. */
  readonly modelId: string
  /** Of what was sent: messages, tools and schema. */
  readonly promptDigest: string
  /** What left and reached the installation, as JSON. */
  readonly exchange: { readonly prompt: string; readonly answer: string }
}

/** A piece of a streamed completion; the last one is the whole. */
export type CompletionPart = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'end'; readonly completion: Completion }

/** Texts as they may be sent, and the way back from the texts of the model. */
export interface AdmittedTexts {
  readonly texts: readonly string[]
  restore(text: string): string
  /** The same inside the text of a JSON document. */
  restoreJson(text: string): string
}

/** Decides whether data of an account may leave for a model, and what of it. */
export interface EgressPort {
  /** Undefined: the texts may be sent as they are. Fault `consent_required`. */
  admit(request: {
    readonly accountId: string
    readonly workflowId?: string | undefined
    readonly host: string
    /** Of the host, as the account states it. */
    readonly region?: string | undefined
    readonly texts: readonly string[]
  }): Promise<AdmittedTexts | undefined>
}
