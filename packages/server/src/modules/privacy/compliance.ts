import type { privacy, Reply } from '@millrace/contract'

/** What the installation does for an account, as far as its settings and rows show. */
export interface ComplianceFacts {
  readonly auditEvents: number
  readonly lastLoggedDay: string | undefined
  /** How long ended executions are kept, in days; undefined: for ever. */
  readonly retentionDays: number | undefined
  readonly policies: {
    readonly total: number
    /** Points at which a policy redacts or blocks. */
    readonly protected: readonly string[]
    readonly withRetention: number
    /** A policy of the account that examines inputs: it applies to whatever starts. */
    readonly forAccount: boolean
  }
  readonly requiresMfa: boolean
  readonly usersWithoutMfa: number
  readonly users: number
  readonly usesHttps: boolean
  readonly crossBorder: 'given' | 'withdrawn' | 'never'
  /** The region of the installation, by its configuration. */
  readonly region: string | undefined
  readonly receipts: number
  readonly exports: number
  readonly decisions: number
}

type Regulation = 'GDPR' | 'PDPL'

type CheckCode = Reply<typeof privacy.compliance>['articles'][number]['unmet'][number]

interface Check {
  /** Absent for a check that every installation meets. */
  readonly code?: CheckCode
  readonly isMet: boolean
  /** What was found, in both cases. */
  readonly evidence: string
  /** What to do if it is not met. */
  readonly remedy: string
}

interface Article {
  readonly regulation: Regulation
  readonly article: string
  readonly title: string
  readonly checks: readonly Check[]
}

const check = (code: CheckCode, isMet: boolean, evidence: string, remedy: string): Check => ({ code, isMet, evidence, remedy })
const met = (evidence: string): Check => ({ isMet: true, evidence, remedy: '' })

/** The report: an article is met if all of its checks are, partly met if some are. */
export function complianceReport(facts: ComplianceFacts, regulation: Regulation | undefined, at: Date) {
  const articles = articlesOf(facts)
    .filter((article) => regulation === undefined || article.regulation === regulation)
    .map(({ checks, ...article }) => ({
      ...article,
      status: statusOf(checks),
      evidence: checks.map(({ evidence }) => evidence),
      missing: checks.filter(({ isMet }) => !isMet).map(({ remedy }) => remedy),
      unmet: checks.flatMap(({ code, isMet }) => (isMet || code === undefined ? [] : [code])),
    }))
  const count = (status: string) => articles.filter((article) => article.status === status).length
  return { at: at.toISOString(), summary: { met: count('met'), partlyMet: count('partly_met'), notMet: count('not_met') }, articles }
}

function statusOf(checks: readonly Check[]): 'met' | 'partly_met' | 'not_met' {
  if (checks.every(({ isMet }) => isMet)) return 'met'
  return checks.some(({ isMet }) => isMet) ? 'partly_met' : 'not_met'
}

function articlesOf(facts: ComplianceFacts): readonly Article[] {
  const checks = checksOf(facts)
  const gdpr = (article: string, title: string, ...of: readonly Check[]): Article => ({ regulation: 'GDPR', article, title, checks: of })
  const pdpl = (article: string, title: string, ...of: readonly Check[]): Article => ({ regulation: 'PDPL', article, title, checks: of })
  return [
    gdpr('5(1)(b)', 'Purpose limitation', checks.purposes),
    gdpr('5(1)(c)', 'Data minimisation', checks.minimises),
    gdpr('5(1)(e)', 'Storage limitation', checks.retention, checks.policyRetention),
    gdpr('6', 'Lawfulness of processing', checks.purposes),
    gdpr('7', 'Conditions for consent', checks.receipts),
    gdpr('15', 'Right of access', checks.inventory, checks.access),
    gdpr('17', 'Right to erasure', checks.deletion, checks.erasure),
    gdpr('20', 'Right to data portability', checks.portability, checks.access),
    gdpr('25', 'Data protection by design and by default', checks.minimises, checks.isolation),
    gdpr('30', 'Records of processing activities', checks.records, checks.decisions),
    gdpr('32', 'Security of processing', checks.encryption, checks.transport, checks.mfa, checks.audit),
    gdpr('33', 'Notification of a breach', checks.breach),
    gdpr('44-49', 'Transfers to third countries', checks.region, checks.transfers),
    pdpl('5', 'Consent and its withdrawal', checks.receipts),
    pdpl(
      '4',
      'Rights of the data subject: access, copy, destruction',
      checks.inventory,
      checks.access,
      checks.portability,
      checks.deletion,
      checks.erasure,
    ),
    pdpl('11', 'Purpose and minimum of collection', checks.purposes, checks.minimises),
    pdpl('18', 'Destruction when the purpose has ended', checks.retention, checks.policyRetention),
    pdpl('19', 'Protection of personal data', checks.encryption, checks.transport, checks.mfa, checks.audit),
    pdpl('20', 'Notification of leaks', checks.breach),
    pdpl('29', 'Transfer outside the Kingdom', checks.region, checks.transfers),
    pdpl('31', 'Records of processing activities', checks.records, checks.decisions),
  ]
}

function checksOf(facts: ComplianceFacts) {
  const { policies, retentionDays, region } = facts
  return {
    purposes: check(
      'purposes',
      policies.forAccount,
      policies.total === 0
        ? 'No privacy policy states a purpose and a legal basis.'
        : `${policies.total} privacy policies state purpose and legal basis; ${policies.forAccount ? 'one examines the input of every workflow without its own' : 'none examines the input of workflows without their own'}.`,
      'Set a policy of the account for the point `input` by `PUT /api/v1/privacy/policies`.',
    ),
    minimises: check(
      'minimises',
      policies.protected.includes('input'),
      policies.protected.length === 0
        ? 'No policy redacts or blocks personal data.'
        : `Policies redact or block personal data at these points: ${policies.protected.join(', ')}.`,
      'Set a policy for the point `input` with the action `redact` or `block`.',
    ),
    retention: check(
      'retention',
      retentionDays !== undefined,
      retentionDays === undefined
        ? 'Ended executions are kept without a limit.'
        : `Ended executions are deleted after ${retentionDays} days.`,
      'Set `retentionDays` by `PATCH /api/v1/account`.',
    ),
    policyRetention: check(
      'policyRetention',
      policies.total > 0 && policies.withRetention === policies.total,
      `${policies.withRetention} of ${policies.total} privacy policies state a retention, which limits how long executions are kept.`,
      'State `retention` in every policy.',
    ),
    receipts: check(
      'receipts',
      facts.receipts > 0,
      `${facts.receipts} consent records with receipts are kept; each can be withdrawn.`,
      'Record the consents of the account by `POST /api/v1/account/consents/cross-border` and `PUT …/privacy-preferences`.',
    ),
    inventory: met('`GET /api/v1/account/data` lists what is kept, by category, with counts and retention.'),
    access: met(
      '`POST /api/v1/privacy/persons/find` finds the records of one person, and `POST …/reports` makes a report to hand over, with each record as JSON and why it is kept.',
    ),
    portability: met(`\`POST /api/v1/account/export\` makes a bag of all data; ${facts.exports} exports are on record.`),
    deletion: met('`DELETE /api/v1/auth/me` of the last owner deletes the account with its data.'),
    erasure: met('`POST /api/v1/privacy/erasures` erases the data of one person, with a receipt; the audit log stays verifiable.'),
    isolation: met('Row-level security binds every request to the rows of its account.'),
    records: check(
      'records',
      facts.auditEvents > 0,
      `${facts.auditEvents} events are in the audit log.`,
      'Use the account: every change is recorded.',
    ),
    decisions: check(
      'decisions',
      facts.decisions > 0,
      `${facts.decisions} decisions about personal data were logged in the last 30 days.`,
      'Set a privacy policy, so that executions are examined.',
    ),
    audit: check(
      'audit',
      facts.lastLoggedDay !== undefined,
      facts.lastLoggedDay === undefined
        ? 'The verifiable log has no entries yet.'
        : `The audit log is a signed Merkle log, last appended on ${facts.lastLoggedDay}.`,
      'Start a process with the role `scheduler`, which appends to the log.',
    ),
    encryption: met('Secrets are sealed by AES-256-GCM under a key of the account.'),
    transport: check(
      'transport',
      facts.usesHttps,
      facts.usesHttps ? 'The public URL of the installation uses HTTPS.' : 'The installation has no public URL with HTTPS.',
      'Serve it behind HTTPS and set MILLRACE_PUBLIC_URL.',
    ),
    mfa: check(
      'mfa',
      facts.requiresMfa,
      `${facts.requiresMfa ? 'A second factor is demanded.' : 'A second factor is not demanded.'} ${facts.usersWithoutMfa} of ${facts.users} users have none.`,
      'Set `requiresMfa` by `PATCH /api/v1/account`.',
    ),
    breach: check(
      'breach',
      false,
      'Sign-ins from new devices and security events notify users; there is no process for the notice to an authority.',
      'Define who notifies the authority within 72 hours; the audit log and its search provide the facts.',
    ),
    region: check(
      'region',
      region !== undefined,
      region === undefined ? 'The region of the installation is not configured.' : `The installation is in ${region}.`,
      'Set MILLRACE_REGION, so that destinations outside are recognized.',
    ),
    transfers: check(
      'transfers',
      facts.crossBorder !== 'never',
      {
        given: 'The consent to transfers outside the region was given and is on record.',
        withdrawn: 'The consent to transfers was withdrawn: operations and destinations that need it are refused.',
        never: 'No consent to transfers was given: operations and destinations that need it are refused. The account has made no decision.',
      }[facts.crossBorder],
      'Give the consent or withdraw it, so that the decision of the account is on record.',
    ),
  }
}
