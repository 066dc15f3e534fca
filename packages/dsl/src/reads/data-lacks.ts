import { followed, isWithout, memberNames, memberOf, objectOf, type Traced, unknown } from '@millrace/jq/tracing'
import type { JsonObject } from '#src/json.ts'
import { objectAt } from '#src/shape/variables.ts'
import type { CatalogFunction } from '#src/validate/options.ts'
import type { WrittenExpression } from './expressions.ts'
import { walkDefinition } from './walk-definition.ts'
import type { DataLack, Maker } from './walk-tasks.ts'

/** A read of a member that the data certainly does not have where it is read, so that it gives null in every run. */
export interface AbsentRead {
  readonly name: string
  readonly at: WrittenExpression
  /** The task of the expression; undefined for the workflow itself. */
  readonly task: string | undefined
  /** What made the data, of which each run has one; none for the input of the workflow. */
  readonly makers: readonly Maker[]
  /** The members that the data has at most. */
  readonly members: readonly string[]
  /** Expressions that have the member. */
  readonly known: readonly string[]
  /** Others that may have it, of which nothing is known. */
  readonly possible: readonly string[]
}

/** Reads that are listed at most. */
const readsMax = 200

/** The reads of a definition that are certainly in vain because the data has other members there, mostly since an earlier step replaced it. */
export function absentReads(definition: JsonObject, catalog?: readonly CatalogFunction[]): readonly AbsentRead[] {
  const reads: AbsentRead[] = []
  const given = givenBy(objectAt(objectAt(objectAt(definition, 'input') ?? {}, 'schema') ?? {}, 'document') ?? {})
  walkDefinition(definition, given, {
    catalog,
    note: () => undefined,
    lacks(lack) {
      const { name, at, task, makers, data } = lack
      if (reads.length === readsMax) return
      reads.push({ name, at, task, makers, members: [...(memberNames(data) ?? [])], ...alternativesOf(lack, given) })
    },
  })
  return reads
}

/** What an input schema says of the input: the members that it names, and whether there are others. */
function givenBy(schema: JsonObject): Traced {
  const named = Object.keys(objectAt(schema, 'properties') ?? {}).map((name) => [name, memberOf(followed, name)] as const)
  const closed = schema['additionalProperties'] === false && !('patternProperties' in schema) && named.length <= membersMax
  return { ...followed, ...objectOf(new Map(named.slice(0, membersMax)), closed), origins: followed.origins }
}

const membersMax = 50

/** Where the member can be read instead: in the input of the workflow, or in the output of an earlier step. */
function alternativesOf({ name, start, steps, sources, data }: DataLack, given: Traced): Pick<AbsentRead, 'known' | 'possible'> {
  const known: string[] = []
  const possible: string[] = []
  const [origin, ...others] = isWithout(start, name) ? [] : memberOf(start, name).origins
  if (origin !== undefined && others.length === 0) {
    const list = given.members.has(origin.path) ? known : possible
    list.push(`$workflow.input${origin.path.startsWith('[') ? '' : '.'}${origin.path}`)
  }
  for (const { step, isCertain } of sources.slice(-sourcesMax).toReversed()) {
    const output = steps.get(step) ?? unknown
    if (output === data || isWithout(output, name) || memberOf(output, name).known?.value === null) continue
    const list = isCertain && (output.members.has(name) || output.known !== undefined) ? known : possible
    list.push(`$steps${memberStep(step)}${memberStep(name)}`)
  }
  return { known, possible }
}

/** Earlier steps that are looked at. */
const sourcesMax = 20

function memberStep(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}
