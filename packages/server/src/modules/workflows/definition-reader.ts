import { Fault } from '@millrace/contract'
import { type Definition, type DefinitionFormat, type Diagnostic, suggest } from '@millrace/dsl'
import {
  type Analysis,
  connectorCalls,
  type FunctionManifest,
  performJob,
  type Processor,
  RanOutError,
  type ThreadJob,
} from '@millrace/engine'
import type { FindFunctions } from './find-functions.ts'
import { definitionOf, definitionRead, type ReadDefinition } from './definition.ts'
import type { StoredDefinition } from './model.ts'
import { usesOf } from './requirements.ts'

export interface DefinitionReaderDeps {
  readonly processor: Processor
  /** The default catalog. */
  readonly functions: readonly FunctionManifest[]
  readonly findFunctions: FindFunctions
  /** The subset of the names (`namespace/name:version`) of workflows that the account has published. */
  readonly publishedWorkflows: (accountId: string, names: readonly string[]) => Promise<ReadonlySet<string>>
  /** Those that the account has published, each with its latest version. */
  readonly latestWorkflows: (accountId: string) => Promise<readonly string[]>
}

/** A text with its diagnostics; `read` is absent when one of them is an error. */
export interface TriedDefinition {
  readonly read: ReadDefinition | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the names of the secrets that the account has, which may ask a service of the operator. */
export type SecretsOf = () => Promise<ReadonlySet<string>>

type Finding = Pick<Diagnostic, 'code' | 'severity' | 'message' | 'hint'> & { readonly pointer: string }

/** What the account or the installation lacks for a place of a definition. */
export interface FoundHere extends Pick<Diagnostic, 'code' | 'message' | 'hint'> {
  readonly pointer: string
}

export type DefinitionReader = ReturnType<typeof createDefinitionReader>

/** Definitions of so many characters are read on this thread, in the turns of their account: it takes some milliseconds. */
const charactersHere = 4 * 1024

const charactersKept = 16 * 1024 * 1024

/** Reads and writes definitions: small ones here, larger ones in another thread. Each Faults with `request_invalid` when that takes too long. */
export function createDefinitionReader({
  processor,
  functions: catalog,
  findFunctions,
  publishedWorkflows,
  latestWorkflows,
}: DefinitionReaderDeps) {
  /** The default catalog, and the functions of connectors that the definition calls. */
  async function functionsFor(accountId: string, given: string | object): Promise<readonly FunctionManifest[]> {
    const names = connectorCalls(given)
    return names.length === 0 ? catalog : [...catalog, ...(await findFunctions(accountId, names))]
  }

  async function perform<J extends ThreadJob>(accountId: string, characters: number, job: J) {
    if (characters <= charactersHere) return processor.inTurn(accountId, () => performJob(job))
    try {
      return await processor.perform(accountId, job)
    } catch (error) {
      if (!(error instanceof RanOutError)) throw error
      const detail = `The definition cannot be read: it ${error.message}. Split it into several workflows.`
      throw new Fault('request_invalid', { detail, cause: error })
    }
  }

  const texts = new Map<string, string>()
  let cachedCharacters = 0

  /** Recently used texts are cached: a change of a workflow returns its text while its transaction is open. */
  function keep(key: string, text: string): string {
    if (!texts.has(key)) cachedCharacters += text.length
    texts.set(key, text)
    for (const [oldest, { length }] of texts) {
      if (cachedCharacters <= charactersKept || oldest === key) break
      texts.delete(oldest)
      cachedCharacters -= length
    }
    return text
  }

  async function diagnosticsAt(accountId: string, source: string, findings: readonly Finding[]): Promise<readonly Diagnostic[]> {
    const pointers = findings.map(({ pointer }) => pointer)
    const places = await perform(accountId, source.length, { kind: 'places', source, pointers })
    return findings.flatMap((finding, index) => {
      const place = places[index]
      return place === undefined ? [] : [{ ...finding, ...place }]
    })
  }

  /** Adds a warning for each workflow that the definition runs and that the account has not published, but for itself. */
  async function withMissingWorkflows(accountId: string, read: ReadDefinition): Promise<ReadDefinition> {
    const { namespace, name, version } = read.definition.document
    const uses = usesOf(read.definition).workflows
    for (const own of [version, 'latest']) uses.delete(`${namespace}/${name}:${own}`)
    if (uses.size === 0) return read
    const published = await publishedWorkflows(accountId, [...uses.keys()])
    const missing = [...uses].filter(([workflow]) => !published.has(workflow))
    if (missing.length === 0) return read
    const latest = await latestWorkflows(accountId)
    const findings = missing.map(([workflow, pointer]): Finding => {
      const message = `No published workflow ${workflow} exists in this account.`
      return { code: 'unknown_workflow', severity: 'warning', pointer, message, hint: workflowHint(workflow, latest) }
    })
    const warnings = [...read.stored.warnings, ...(await diagnosticsAt(accountId, read.stored.source, findings))]
    return { ...read, stored: { ...read.stored, warnings } }
  }

  return {
    /** Reads a text that may be invalid. */
    async tryRead(accountId: string, text: string, secretsOf: SecretsOf): Promise<TriedDefinition> {
      const functions = await functionsFor(accountId, text)
      const analysis = await perform(accountId, text.length, { kind: 'definition', given: text, functions })
      if (analysis.definition === undefined) return { read: undefined, diagnostics: analysis.diagnostics }
      const read = await withMissingWorkflows(accountId, definitionRead(analysis, await listedSecrets(analysis, secretsOf)))
      await this.write(accountId, read.stored, 'yaml')
      return { read, diagnostics: read.stored.warnings }
    },

    /**
     * Faults: `workflow_invalid` with every diagnostic.
     * @param given a text, or an object whose text is then its canonical YAML.
     */
    async read(accountId: string, given: string | object, secretsOf: SecretsOf): Promise<ReadDefinition> {
      const characters = typeof given === 'string' ? given.length : JSON.stringify(given).length
      const functions = await functionsFor(accountId, given)
      const analysis = await perform(accountId, characters, { kind: 'definition', given, functions })
      return withMissingWorkflows(accountId, definitionRead(analysis, await listedSecrets(analysis, secretsOf)))
    },

    /** The text of a definition in its canonical form. */
    async write(accountId: string, { json, checksum }: StoredDefinition, syntax: DefinitionFormat): Promise<string> {
      const key = `${syntax} ${checksum}`
      const known = texts.get(key)
      if (known !== undefined) {
        texts.delete(key)
        texts.set(key, known)
        return known
      }
      const definition: Definition = definitionOf({ json })
      return keep(key, await perform(accountId, json.length, { kind: 'text', definition, syntax }))
    },

    /** The text of a definition with another document name; everything else stays, comments included. With `from`, a text that has another name stays as it is. */
    renamed: (accountId: string, { source }: Pick<StoredDefinition, 'source'>, documentName: string, from?: string): Promise<string> =>
      perform(accountId, source.length, { kind: 'renaming', source, documentName, from }),

    /** Warnings at places of a definition that was read. */
    async warningsAt(
      accountId: string,
      { stored: { source } }: ReadDefinition,
      found: readonly FoundHere[],
    ): Promise<readonly Diagnostic[]> {
      return diagnosticsAt(
        accountId,
        source,
        found.map((one) => ({ ...one, severity: 'warning' })),
      )
    },

    /** Errors at places of a definition that was read. */
    async errorsAt(
      accountId: string,
      { stored: { source } }: ReadDefinition,
      findings: readonly (Pick<Diagnostic, 'code' | 'message'> & { readonly pointer: string })[],
    ): Promise<readonly Diagnostic[]> {
      return diagnosticsAt(
        accountId,
        source,
        findings.map((finding) => ({ ...finding, severity: 'error' })),
      )
    },
  }
}

/** The secrets of the account, if the definition lists any. */
/** @param latest names with the latest versions. */
function workflowHint(workflow: string, latest: readonly string[]): string {
  const nameOf = (name: string) => name.slice(0, name.lastIndexOf(':'))
  const same = latest.find((name) => nameOf(name) === nameOf(workflow))
  if (same !== undefined) return `The latest published version is ${same}: write that version, or "latest".`
  const close = suggest(nameOf(workflow), latest.map(nameOf))
  if (close === undefined) return 'Publish it before this one runs, or check its namespace, name and version.'
  return `Did you mean ${close}? Otherwise publish it before this one runs.`
}

async function listedSecrets({ secrets }: Pick<Analysis, 'secrets'>, secretsOf: SecretsOf): Promise<ReadonlySet<string>> {
  return secrets.length === 0 ? new Set() : secretsOf()
}
