import { createRequire } from 'node:module'
import { confineProcess, type PieceReply } from './confine-process.ts'
import {
  type FromPiece,
  outputCharactersMax,
  type PieceAction,
  type PieceDescription,
  type PieceProperty,
  type PieceTask,
  placeholder,
  type ToPiece,
} from './messages.ts'

// The process of one piece: it performs one task of its parent, and ends. It has no environment, no files but its own, and no network but its parent's.

const channel = process.send?.bind(process)
const send = (message: FromPiece) => channel?.(message)
const waiting = new Map<number, { readonly resolve: (reply: PieceReply) => void; readonly reject: (error: Error) => void }>()
let requests = 0

confineProcess(
  (request) =>
    new Promise((resolve, reject) => {
      requests += 1
      waiting.set(requests, { resolve, reject })
      send({ kind: 'request', id: requests, request })
    }),
)

process.on('message', (message: ToPiece) => {
  if (message.kind === 'task') return void perform(message.task)
  const found = waiting.get(message.id)
  waiting.delete(message.id)
  if (message.kind === 'response') found?.resolve(message)
  else found?.reject(Object.assign(new Error(message.message), { code: 'ECONNREFUSED' }))
})
process.on('disconnect', () => process.exit(0))
process.on('uncaughtException', (error) => end(failureOf(error)))
process.on('unhandledRejection', (error) => end(failureOf(error)))
send({ kind: 'ready' })

async function perform(task: PieceTask): Promise<void> {
  try {
    const piece = load(task.file)
    if (task.kind === 'describe') return end({ kind: 'described', piece: describe(piece) })
    const output = await run(piece, task)
    const text = JSON.stringify(output) ?? 'null'
    if (text.length > outputCharactersMax) throw new Error('The result of the action is too large.')
    end({ kind: 'done', output: text })
  } catch (error) {
    end(failureOf(error))
  }
}

/** Ends when the parent has the message. */
function end(message: FromPiece): void {
  channel?.(message, undefined, undefined, () => process.exit(0))
}

function failureOf(error: unknown): FromPiece {
  const { message, response } = Object(error)
  const status = typeof response?.status === 'number' ? response.status : undefined
  return { kind: 'failed', message: String(message ?? error).slice(0, 1_000), status }
}

// What a piece exports has no types here, and each of its members may be missing.
// oxlint-disable-next-line typescript/no-explicit-any
type Loaded = any

function load(file: string): Loaded {
  const exported: Loaded = createRequire(file)(file)
  const found = Object.values<Loaded>(exported).find((value) => typeof value?.actions === 'function')
  if (found === undefined) throw new Error('The package exports no piece.')
  return found
}

function describe(piece: Loaded): PieceDescription {
  const actions = Object.values<Loaded>(piece.actions())
  return { title: String(piece.displayName), hasAuth: authOf(piece) !== undefined, actions: actions.map(describeAction) }
}

function describeAction({ name, displayName, description, props = {} }: Loaded): PieceAction {
  const properties = Object.entries<Loaded>(props).map(([key, property]) => [key, describeProperty(property)] as const)
  return {
    name: String(name),
    displayName: String(displayName ?? name),
    description: String(description ?? ''),
    properties: Object.fromEntries(properties),
  }
}

function describeProperty({ type, displayName, description, required, defaultValue, options }: Loaded): PieceProperty {
  const listed = type === 'STATIC_DROPDOWN' || type === 'STATIC_MULTI_SELECT_DROPDOWN' ? options?.options : undefined
  return {
    type: String(type),
    displayName: String(displayName ?? ''),
    description: String(description ?? ''),
    required: required === true,
    hasDefault: defaultValue !== undefined,
    values: Array.isArray(listed) ? listed.map(({ value }: Loaded) => value) : undefined,
  }
}

function authOf(piece: Loaded): Loaded {
  const auth = Array.isArray(piece.auth) ? piece.auth[0] : piece.auth
  return auth?.type === undefined || auth.type === 'NONE' ? undefined : auth
}

/** The credentials of a piece in its form, with a placeholder for each secret. */
function credentialOf(auth: Loaded): unknown {
  switch (auth?.type) {
    case undefined:
      return undefined
    case 'OAUTH2':
      return { type: 'OAUTH2', access_token: placeholder, token_type: 'Bearer', scope: '', props: {}, data: { access_token: placeholder } }
    case 'BASIC_AUTH':
      return { type: 'BASIC_AUTH', username: placeholder, password: placeholder }
    case 'CUSTOM_AUTH':
      return { type: 'CUSTOM_AUTH', props: Object.fromEntries(Object.keys(auth.props ?? {}).map((name) => [name, placeholder])) }
    default:
      return placeholder
  }
}

async function run(
  piece: Loaded,
  { action: name, properties, hasConnection, executionId }: PieceTask & { readonly kind: 'run' },
): Promise<unknown> {
  const action: Loaded = Object.values<Loaded>(piece.actions()).find((candidate) => candidate.name === name)
  if (action === undefined) throw new Error(`The piece has no action ${name}.`)
  const props: Record<string, Loaded> = action.props ?? {}
  const propsValue = Object.fromEntries(
    Object.entries(props).map(([key, { type, defaultValue }]) => [key, valueOf(type, properties[key] ?? defaultValue)]),
  )
  return action.run({ ...contextOf(executionId), auth: hasConnection ? credentialOf(authOf(piece)) : undefined, propsValue })
}

function valueOf(type: unknown, value: Loaded): unknown {
  if (type !== 'FILE' || value === undefined || value === null) return value
  const data = Buffer.from(String(value.contentBase64 ?? ''), 'base64')
  const filename = String(value.filename ?? 'file')
  return { filename, extension: filename.split('.').at(-1), data, base64: data.toString('base64') }
}

/** What a piece may ask of its host. Nothing of it outlives the run. */
function contextOf(executionId: string): object {
  const kept = new Map<string, unknown>()
  const unsupported = () => {
    throw new Error('This action waits for something outside of its run, which a task cannot do.')
  }
  return {
    executionType: 'BEGIN',
    store: {
      get: async (key: string) => kept.get(key) ?? null,
      put: async (key: string, value: unknown) => (kept.set(key, value), value),
      delete: async (key: string) => void kept.delete(key),
    },
    files: {
      write: async ({ fileName, data }: { readonly fileName: string; readonly data: Uint8Array }) =>
        ({ filename: fileName, contentBase64: Buffer.from(data).toString('base64') }) as unknown,
    },
    connections: { get: async () => null },
    server: { apiUrl: '', publicUrl: '', token: '' },
    project: { id: '', externalId: async () => undefined },
    flows: { current: { id: '', version: { id: '' } }, list: async () => ({ data: [] }) },
    step: { name: 'step' },
    tags: { add: async () => undefined },
    output: { update: async () => undefined },
    run: {
      id: executionId,
      stop: () => undefined,
      respond: unsupported,
      pause: unsupported,
      createWaitpoint: unsupported,
      waitForWaitpoint: unsupported,
    },
    generateResumeUrl: unsupported,
  }
}
