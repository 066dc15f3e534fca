import type { Principal } from '#platform/auth/principal.ts'
import type { Database, Tx } from '#platform/db/database.ts'
import { insertAssessment, listAssessments, trimAssessments } from './assessment-store.ts'
import type { Answers, StoredAssessment } from './model.ts'
import { version } from './questionnaire.ts'

export interface AssessmentsDeps {
  readonly database: Pick<Database, 'account'>
  readonly now: () => Date
  readonly newId: () => string
}

/** An assessment, with an id if it was stored. */
export type Assessed = Pick<StoredAssessment, 'version' | 'createdAt'> & { readonly id: string | undefined }

export type Assessments = ReturnType<typeof createAssessments>

const keptMax = 200
const trendPoints = 12

/** Keeps the assessments of users. */
export function createAssessments({ database, now, newId }: AssessmentsDeps) {
  return {
    /** Stores an assessment of a caller who may read the history; nothing is stored of others. */
    async add(principal: Principal | undefined, score: number, answers: Answers): Promise<Assessed> {
      const createdAt = now()
      if (principal?.scopes.has('readiness:read') !== true) return { id: undefined, version, createdAt }
      const { accountId, userId } = principal
      const stored = { id: newId(), version, score, answers, createdAt }
      await database.account(accountId, async (tx) => {
        await insertAssessment(tx, accountId, userId, stored)
        await trimAssessments(tx, accountId, userId, keptMax)
      })
      return stored
    },
    list: listAssessments,
    latest: (tx: Tx, accountId: string, userId: string) =>
      listAssessments(tx, accountId, userId, { before: undefined, limit: trendPoints }),
  }
}
