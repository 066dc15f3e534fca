import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

interface XmlNode {
  getElementsByTagName(name: string): readonly XmlNode[]
  getAttribute(name: string): string | null
}

/** The parts of the libraries that are used here. Their own types would bring those of browsers into the whole project. */
interface XPathLibrary {
  evaluateXPathToBoolean(test: string, node: XmlNode, resolver: null, variables: null, options: object): boolean
  evaluateXPathToNodes(path: string, node: XmlNode, resolver: null, variables: null, options: object): readonly XmlNode[]
}

const require = createRequire(import.meta.url)
const { evaluateXPathToBoolean, evaluateXPathToNodes }: XPathLibrary = require('fontoxpath')
const slimdom: { parseXmlDocument(text: string): XmlNode } = require('slimdom')

interface Assertion {
  readonly id: string
  readonly test: string
}

interface Pattern {
  readonly rules: readonly { readonly context: string; readonly assertions: readonly Assertion[] }[]
}

export interface Schematron {
  /** Violations as `rule`, one for each place, sorted. */
  judge(xml: string, only: (rule: string) => boolean): readonly string[]
  readonly ids: ReadonlySet<string>
}

/** A small runner of the official rules: of each pattern a node is judged by the first rule that selects it. */
export async function loadSchematron(file: string): Promise<Schematron> {
  const schema = slimdom.parseXmlDocument(await readFile(file, 'utf8'))
  const namespaces = new Map(schema.getElementsByTagName('ns').map((ns) => [ns.getAttribute('prefix') ?? '', ns.getAttribute('uri') ?? '']))
  const options = { namespaceResolver: (prefix: string) => namespaces.get(prefix) ?? null }
  const patterns: readonly Pattern[] = schema.getElementsByTagName('pattern').map((pattern) => ({
    rules: pattern.getElementsByTagName('rule').map((rule) => ({
      context: anywhere(rule.getAttribute('context') ?? ''),
      assertions: rule.getElementsByTagName('assert').map((assertion) => ({
        id: assertion.getAttribute('id') ?? '',
        test: exact(assertion.getAttribute('id') ?? '', assertion.getAttribute('test') ?? ''),
      })),
    })),
  }))
  const applies = (test: string, node: XmlNode) => {
    try {
      return evaluateXPathToBoolean(test, node, null, null, options)
    } catch {
      return false // What cannot be calculated violates the rule.
    }
  }
  return {
    ids: new Set(patterns.flatMap(({ rules }) => rules.flatMap(({ assertions }) => assertions.map(({ id }) => id)))),
    judge(xml, only) {
      const document = slimdom.parseXmlDocument(xml)
      const found: string[] = []
      for (const { rules } of patterns) {
        const judged = new Set<XmlNode>()
        for (const { context, assertions } of rules) {
          for (const node of evaluateXPathToNodes(context, document, null, null, options)) {
            if (judged.has(node)) continue
            judged.add(node)
            for (const { id, test } of assertions) if (only(id) && !applies(test, node)) found.push(id)
          }
        }
      }
      return found.toSorted()
    },
  }
}

/** A context of Schematron is a pattern of XSLT: a relative one selects at any depth. */
function anywhere(context: string): string {
  return total(context)
    .split(/\|(?![^[]*\])/)
    .map((part) => part.trim())
    .map((part) => (part.startsWith('/') ? part : `//${part}`))
    .join(' | ')
}

/** In a pattern of XSLT an error selects nothing; in a path it would end the whole judgement. */
function total(context: string): string {
  const single = 'cbc:ID[not(../cbc:ID[2])]'
  return context
    .replaceAll(/normalize-space\(upper-case\(cbc:ID\)\)/g, `${single}/normalize-space(upper-case(.))`)
    .replaceAll(/normalize-space\(cbc:ID\)/g, `${single}/normalize-space(.)`)
    .replaceAll(/cbc:ChargeIndicator ?= ?true\(\)/g, "cbc:ChargeIndicator/normalize-space(.) = ('true', '1')")
    .replaceAll(/cbc:ChargeIndicator ?= ?false\(\)/g, "cbc:ChargeIndicator/normalize-space(.) = ('false', '0')")
}

/** The library calculates decimals in floating point; sums that must be equal are calculated in integers. */
function exact(id: string, test: string): string {
  return /^BR-(?:AE|E|G|IC|O|Z)-08$/.test(id)
    ? test.replaceAll(/xs:decimal\(([^()]*)\)/g, 'xs:integer(round(xs:decimal($1) * 1000000))')
    : test
}
