/** The jobs that name executions to be claimed; a job stays claimed until it is done or its process dies. */
export interface Queue {
  done(jobIds: readonly string[]): Promise<void>
  /** Renews the heartbeats of running jobs, so that no other process takes them. */
  touch(jobIds: readonly string[]): Promise<void>
}
