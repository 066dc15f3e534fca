import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Answers, StoredAssessment } from './model.ts'

type Executor = Kysely<Rows>

interface AssessmentRow {
  readonly id: string
  readonly version: string
  readonly score: number
  readonly answers: Answers
  readonly created_at: Date
}

export async function insertAssessment(
  tx: Executor,
  accountId: string,
  userId: string,
  { id, version, score, answers, createdAt }: StoredAssessment,
): Promise<void> {
  await sql`
    insert into readiness_assessments (id, account_id, user_id, version, score, answers, created_at)
    values (${id}, ${accountId}, ${userId}, ${version}, ${score}, ${JSON.stringify(answers)}, ${createdAt})`.execute(tx)
}

/** Assessments of a user, newest first. */
export async function listAssessments(
  tx: Executor,
  accountId: string,
  userId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly StoredAssessment[]> {
  const { rows } = await sql<AssessmentRow>`
    select id, version, score, answers, created_at from readiness_assessments
    where account_id = ${accountId} and user_id = ${userId} ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`.execute(tx)
  return rows.map(({ created_at: createdAt, ...row }) => ({ ...row, createdAt }))
}

/** Deletes all but the newest assessments of a user. */
export async function trimAssessments(tx: Executor, accountId: string, userId: string, kept: number): Promise<void> {
  await sql`
    delete from readiness_assessments where account_id = ${accountId} and id in (
      select id from readiness_assessments where account_id = ${accountId} and user_id = ${userId} order by id desc offset ${kept}
    )`.execute(tx)
}

export async function deleteAssessmentsOf(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from readiness_assessments where account_id = ${accountId}`.execute(executor)
}
