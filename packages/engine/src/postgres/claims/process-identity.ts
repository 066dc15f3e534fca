/** Who this process is to the others. The id changes when it has been given up, so that nothing of before can pass for now. */
export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  /** Whether it runs executions, or only accepts them. */
  readonly works: boolean
  id(): string
  renew(): void
  /** Whether another process of this machine is there. */
  lives(pid: number): boolean
}

export interface ProcessIdentityDeps {
  readonly host: string
  readonly pid: number
  readonly works: boolean
  readonly newId: () => string
  readonly lives: (pid: number) => boolean
}

export function createProcessIdentity({ host, pid, works, newId, lives }: ProcessIdentityDeps): ProcessIdentity {
  let id = newId()
  return {
    host,
    pid,
    works,
    lives,
    id: () => id,
    renew() {
      id = newId()
    },
  }
}
