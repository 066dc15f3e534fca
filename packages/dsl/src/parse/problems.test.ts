import { describe, expect, test } from 'vitest'
import { reportsOf } from '#src/testing/reports.ts'

describe('what cannot be read', () => {
  const cases: readonly (readonly [name: string, text: string, ...reports: readonly string[]])[] = [
    [
      'an entry that is indented too little',
      'do:\n  - a:\n      set: { x: 1 }\n   then: end\n',
      '4:1 syntax_error : Sequence item without - indicator. Indent every entry of one object or list by the same number of spaces.',
    ],
    ['a tab', 'do:\n\t- a: 1\n', '2:1 syntax_error : A tab is used as indentation. Indent with spaces.'],
    [
      'two colons in one line',
      'a: b: c\n',
      '1:4 syntax_error : A second "key:" stands in the same line, or text contains ": ". Put text that contains ": " in quotes, or begin a new line for the nested key.',
    ],
    [
      'an open double quote',
      'a: "b\n',
      '2:1 syntax_error : The closing quote " is missing. Close every quote and every bracket; put text that begins with one of [ ] { } & * ! | > % @ ` in quotes.',
    ],
    [
      'an open single quote',
      "a: 'b\nc: 1\n",
      "3:1 syntax_error : The closing quote ' is missing. Close every quote and every bracket; put text that begins with one of [ ] { } & * ! | > % @ ` in quotes.",
    ],
    [
      'an open list',
      'a: [1, 2\n',
      '2:1 syntax_error : Flow sequence in block collection must be sufficiently indented and end with a ]. Indent every entry of one object or list by the same number of spaces.',
    ],
    [
      'an expression with an object that is not quoted',
      'a: ${ { x: 1 } }\n',
      '1:4 syntax_error : A second "key:" stands in the same line, or text contains ": ". Put the whole expression in single quotes: \'${ … }\'.',
    ],
    [
      'a reserved character',
      'a: @x\n',
      '1:4 syntax_error : Plain value cannot start with reserved character @. Check the indentation, and put text with special characters in quotes.',
    ],
    [
      'a backtick',
      'a: `x`\n',
      '1:4 syntax_error : Plain value cannot start with reserved character `. Check the indentation, and put text with special characters in quotes.',
    ],
    [
      'a percent sign',
      'a: %x\n',
      '1:4 syntax_error : Plain value cannot start with directive indicator character %. Check the indentation, and put text with special characters in quotes.',
    ],
    [
      'an alias of nothing',
      'a: *x\n',
      '1:4 syntax_error /a: There is no anchor &x in front of the alias *x. Put &x in front of the value that is meant.',
    ],
    ['a tag', 'a: !!binary aGk=\n', '1:4 unsupported_yaml : Tags (!name) are not allowed. Remove the tag and write the plain value.'],
    [
      'a list and an object',
      '- a\nb: 1\n',
      '2:1 syntax_error : Unexpected scalar at node end. Check the indentation, and put text with special characters in quotes.',
    ],
    ['a key twice', 'a: 1\na: 2\n', '2:1 duplicate_key /a: The key "a" is already there, in line 1. Remove one of the two, or rename it.'],
    [
      'keys in different columns',
      'a:\n  - b\n c: 1\n',
      '3:1 syntax_error : All mapping items must start at the same column. Indent every entry of one object or list by the same number of spaces.',
    ],
    [
      'two documents',
      'a: 1\n---\nb: 2\n',
      '2:1 unsupported_yaml : The text has more than one document. Remove the --- line and what follows.',
    ],
    [
      'a missing colon',
      'do:\n  - first\n      set: 1\n',
      '2:5 syntax_error : Implicit keys need to be on a single line. Is a colon or a closing quote missing in the line before?',
    ],
    ['a key that is a list', '? [a]\n: 1\n', '1:3 unsupported_yaml : A key has to be text. Put the key in quotes.'],
    ['__proto__', '__proto__: 1\n', '1:1 forbidden_key /__proto__: The key "__proto__" is not allowed. Use another name.'],
    ['infinity', 'x: .inf\n', '1:4 unsupported_yaml /x: The value .inf has no counterpart in JSON. Write a string.'],
    [
      'YAML 1.1',
      '%YAML 1.1\n---\na: 1\n',
      '1:1 unsupported_yaml : The document asks for YAML 1.1, in which words such as "yes" and "on" mean true. Remove the %YAML directive: definitions are YAML 1.2.',
    ],
    [
      'an alias of what it is in',
      'a: &x { b: *x }\n',
      '1:12 alias_limit /a/b: The alias *x stands inside the value that it stands for. Write the value out.',
    ],
    [
      'JSON with a comma too few',
      '{ "a": 1 "b": 2 }',
      '1:10 syntax_error : A comma or "}" is expected here, not a double quote. Separate entries with commas and close with "}".',
    ],
    [
      'JSON that ends too early',
      '["a"',
      '1:5 syntax_error : A comma or "]" is expected here, not the end of the text. Separate entries with commas and close with "]".',
    ],
    ['JSON with a brace too many', '{ "a": 1 } }', '1:12 syntax_error : Nothing may follow the document. Remove what comes after it.'],
    ['JSON with an open string', '{ "a": "b }', '1:8 syntax_error : The string is not closed. Add the closing double quote.'],
    [
      'JSON with a key twice',
      '{ "a": 1,\n  "a": 2 }',
      '2:3 duplicate_key /a: The key "a" is already there, in line 1. Remove one of the two, or rename it.',
    ],
    ['JSON with __proto__', '{ "__proto__": 1 }', '1:3 forbidden_key /__proto__: The key "__proto__" is not allowed. Use another name.'],
    [
      'JSON with a line break in a string',
      '{ "a": "b\nc", "d" }',
      '1:1 missing_property : A workflow definition needs "document". Add document: to it.',
      '1:1 missing_property : A workflow definition needs "do". Add do: to it.',
      '1:3 unknown_property /a: "a" is not a property of a workflow definition. Remove it; possible are document, input, use, do, timeout, output, schedule, evaluate.',
      '2:5 unknown_property /d: "d" is not a property of a workflow definition. Remove it; possible are document, input, use, do, timeout, output, schedule, evaluate.',
    ],
  ]
  test.each(cases)('%s', (_, text, ...reports) => {
    expect(reportsOf(text)).toEqual(reports)
  })
})
