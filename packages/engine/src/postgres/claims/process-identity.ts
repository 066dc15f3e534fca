/** The identity under which this process is registered. A fenced process gets a new id, so that no write from before the fence can succeed. */
export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** Whether it runs executions; false if it only accepts them. */
  readonly works: boolean
  /** What the process does, for operators. */
  readonly roles: readonly string[]
  id(): string
  renew(): void
  /** Whether a process of this machine exists. */
  lives(pid: number): boolean
}

export interface ProcessIdentityDeps {
  readonly host: string
  readonly pid: number
  readonly works: boolean
  readonly roles?: readonly string[]
  readonly newId: () => string
  readonly lives: (pid: number) => boolean
}

export function createProcessIdentity({ host, pid, works, roles = [], newId, lives }: ProcessIdentityDeps): ProcessIdentity {
  let id = newId()
  return {
    host,
    pid,
    works,
    roles,
    lives,
    id: () => id,
    renew() {
      id = newId()
    },
  }
}
