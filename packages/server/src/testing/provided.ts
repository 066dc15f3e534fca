/** What the global setup hands to every test file, through Vitest's `inject('postgres')`. */
export interface ProvidedPostgres {
  /** Connection string of the database from which others are created. */
  readonly adminUrl: string
  /** The migrated database that tests copy. */
  readonly template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: ProvidedPostgres
    /** Whether random tests are to take as long as they need: `npm run test:deep`. */
    readonly deep: boolean
  }
}
