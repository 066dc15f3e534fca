/** The jobs that name executions to be claimed; a job stays claimed until it is done or its process dies. */
export interface Queue {
  done(jobIds: readonly string[]): Promise<void>
  /** Keeps jobs that are under way from being given to another process. */
  touch(jobIds: readonly string[]): Promise<void>
}
