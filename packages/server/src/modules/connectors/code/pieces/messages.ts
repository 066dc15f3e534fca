/** In place of a credential: the real one is added to the requests outside of the process, so that a piece never has it. */
export const placeholder = 'credential-of-the-connection'

/** JSON of a result. */
export const outputCharactersMax = 8_000_000

/** A property of an action, as far as its schema needs it. */
export interface PieceProperty {
  readonly type: string
  readonly displayName: string
  readonly description: string
  readonly required: boolean
  readonly hasDefault: boolean
  /** The values of a list that never changes. */
  readonly values?: readonly unknown[] | undefined
}

export interface PieceAction {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly properties: Readonly<Record<string, PieceProperty>>
}

/** What a piece offers. */
export interface PieceDescription {
  readonly title: string
  /** Whether its actions need credentials. */
  readonly hasAuth: boolean
  readonly actions: readonly PieceAction[]
}

/** What the process of a piece is asked. */
export type PieceTask =
  | { readonly kind: 'describe'; readonly file: string; readonly folders: readonly string[] }
  | {
      readonly kind: 'run'
      readonly file: string
      /** That the process may read. */
      readonly folders: readonly string[]
      readonly action: string
      readonly properties: Readonly<Record<string, unknown>>
      readonly hasConnection: boolean
      readonly executionId: string
    }

export interface PieceRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What the process sends. */
export type FromPiece =
  | { readonly kind: 'ready' }
  | { readonly kind: 'described'; readonly piece: PieceDescription }
  /** `output` is JSON. */
  | { readonly kind: 'done'; readonly output: string }
  | { readonly kind: 'failed'; readonly message: string; readonly status?: number | undefined }
  | { readonly kind: 'request'; readonly id: number; readonly request: PieceRequest }

/** What the process receives. */
export type ToPiece =
  | { readonly kind: 'task'; readonly task: PieceTask }
  | {
      readonly kind: 'response'
      readonly id: number
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: Uint8Array
    }
  | { readonly kind: 'refused'; readonly id: number; readonly message: string }
