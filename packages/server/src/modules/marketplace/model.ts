import type { entryStates, marketplaceCategories, marketplaceLicences, reportReasons } from '@millrace/contract'
import type { Parameter, Permissions } from '#modules/workflows/index.ts'

export type EntryState = (typeof entryStates)[number]
export type Category = (typeof marketplaceCategories)[number]
export type Licence = (typeof marketplaceLicences)[number]
export type ReportReason = (typeof reportReasons)[number]

/** A workflow that an account made public. */
export interface Entry {
  readonly id: string
  /** The account that published it. */
  readonly accountId: string
  readonly title: string
  readonly summary: string
  readonly author: string
  readonly category: Category
  readonly tags: readonly string[]
  readonly licence: Licence
  /** Number of the latest version. */
  readonly version: number
  readonly state: EntryState
  readonly reason: string | undefined
  readonly ratingSum: number
  readonly ratingCount: number
  readonly importCount: number
  readonly popularity: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** One version of an entry; never changes. */
export interface EntryVersion {
  readonly number: number
  /** Canonical JSON. */
  readonly json: string
  /** Canonical YAML. */
  readonly source: string
  readonly checksum: string
  readonly readme: string
  readonly drawing: string
  readonly notes: string
  readonly parameters: readonly Parameter[]
  readonly permissions: Permissions
  readonly createdAt: Date
}

export interface Release {
  readonly version: number
  readonly notes: string
  readonly checksum: string
  readonly publishedAt: Date
}

/** An entry with its latest version. */
export interface EntryDetails {
  readonly entry: Entry
  readonly version: EntryVersion
  readonly releases: readonly Release[]
}

export interface Report {
  readonly id: string
  readonly entryId: string
  readonly title: string
  readonly reason: ReportReason
  readonly detail: string
  readonly createdAt: Date
}

export interface EntryFilter {
  readonly category: string | undefined
  readonly licence: string | undefined
  readonly tag: string | undefined
}

/** The content of a new version, checked and free of what must not be public. */
export interface Publication {
  readonly workflowId: string
  readonly title: string
  readonly summary: string
  readonly author: string
  readonly category: Category
  readonly tags: readonly string[]
  readonly licence: Licence
  readonly content: Omit<EntryVersion, 'number' | 'createdAt'>
}

/** Entries of one account, and versions of one entry. */
export const entriesMax = 200
export const versionsMax = 500
