import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin'
import { type Feature, type GherkinDocument, IdGenerator, type Pickle, type Scenario as ScenarioNode } from '@cucumber/messages'

/** A step of a scenario: its text after the keyword, and the doc string or the table below it. */
export interface Step {
  readonly text: string
  readonly block: string | undefined
  readonly table: readonly (readonly string[])[] | undefined
}

export interface Scenario {
  readonly feature: string
  readonly name: string
  /** Without the `@`; those of the feature come first. */
  readonly tags: readonly string[]
  readonly steps: readonly Step[]
}

/**
 * Reads the scenarios of one Gherkin file: an outline yields one scenario for each of its examples, and the background's steps come first.
 *
 * Free text and outlines without examples, which Gherkin allows in a scenario, are refused: they are misspelt steps and scenarios that never run.
 * @throws Error with line and column for every line that is not Gherkin
 */
export function parseFeature(text: string): readonly Scenario[] {
  const newId = IdGenerator.incrementing()
  const document: GherkinDocument = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher()).parse(text)
  const { feature } = document
  if (feature === undefined) return []
  if (/^\s*(?:Given|When|Then|And|But)\s/m.test(feature.description))
    throw new Error(`a step outside of a scenario: ${feature.description.trim()}`)
  const nodes = scenarioNodes(feature)
  for (const node of nodes) checkScenario(node)
  return compile(document, '', newId).map((pickle) => {
    const node = nodes.find(({ id }) => pickle.astNodeIds.includes(id))
    return {
      feature: feature.name,
      name: node === undefined ? pickle.name : nameOf(node, pickle),
      tags: pickle.tags.map(({ name }) => name.slice(1)),
      steps: pickle.steps.map(stepOf),
    }
  })
}

function scenarioNodes(feature: Feature): readonly ScenarioNode[] {
  return feature.children.flatMap(({ rule, scenario, background }) => {
    if (rule !== undefined) throw new Error(`rules are not supported: ${rule.name}`)
    if ((background?.description ?? '') !== '') throw new Error(`free text in the background of "${feature.name}"`)
    return scenario ?? []
  })
}

function checkScenario({ name, keyword, description, examples }: ScenarioNode): void {
  if (description.trim() !== '') throw new Error(`free text in the scenario "${name}": ${description.trim()}`)
  const commented = examples.find((table) => table.description.trim() !== '')
  if (commented !== undefined) throw new Error(`free text in the examples of "${name}": ${commented.description.trim()}`)
  if (keyword === 'Scenario Outline' && examples.length === 0) throw new Error(`the outline "${name}" has no examples`)
}

/** Examples of an outline whose name has no placeholder get their cells as part of the name, so that names differ. */
function nameOf(node: ScenarioNode, pickle: Pickle): string {
  const row = node.examples.flatMap(({ tableBody }) => tableBody).find(({ id }) => pickle.astNodeIds.includes(id))
  if (row === undefined || pickle.name !== node.name) return pickle.name
  return `${pickle.name} (${row.cells.map(({ value }) => value).join(', ')})`
}

function stepOf({ text, argument }: Pickle['steps'][number]): Step {
  return {
    // The official kit writes "When given …".
    text: text.replace(/^given /, ''),
    block: argument?.docString?.content,
    table: argument?.dataTable?.rows.map(({ cells }) => cells.map(({ value }) => value)),
  }
}
