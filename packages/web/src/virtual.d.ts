declare module 'virtual:operations' {
  import type { groups } from '@millrace/contract'

  /** The facts of each operation that a client needs; the types are those of the whole contract. */
  export const operations: typeof groups
}

declare module 'virtual:operations/session' {
  import type { groups } from '@millrace/contract'

  /** The operations that open and end a session. */
  export const operations: Pick<typeof groups, 'auth' | 'invitations'>
}

declare module '*.css' {}

/** Of V8; other engines ignore it. */
interface ErrorConstructor {
  stackTraceLimit: number
}

/** The address of a worker that the build made of a file. */
declare module '*?worker&url' {
  const url: string
  export default url
}
