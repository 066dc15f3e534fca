export type { Rows } from '#platform/db/rows.ts'
