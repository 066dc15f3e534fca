import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'

/** Text in Markdown as elements; HTML inside it stays text, and links go to web and mail addresses only. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="md" dir="auto">
      {nodesOf(lexer(text))}
    </div>
  )
}

function nodesOf(tokens: readonly Token[] = []): readonly ReactNode[] {
  return tokens.map((token, index) => <Fragment key={index}>{nodeOf(known(token))}</Fragment>)
}

function known(token: Token): Known {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The lexer makes these tokens without extensions; any other kind is drawn as its text.
  return token as Known
}

type Known =
  | Tokens.Blockquote
  | Tokens.Br
  | Tokens.Code
  | Tokens.Codespan
  | Tokens.Del
  | Tokens.Em
  | Tokens.Heading
  | Tokens.Hr
  | Tokens.Link
  | Tokens.List
  | Tokens.Paragraph
  | Tokens.Space
  | Tokens.Strong
  | Tokens.Table
  | Tokens.Text

function nodeOf(token: Known): ReactNode {
  switch (token.type) {
    case 'space':
      return null
    case 'heading':
      return <p className={token.depth < 3 ? 'md-h bb' : 'b'}>{nodesOf(token.tokens)}</p>
    case 'paragraph':
      return <p>{nodesOf(token.tokens)}</p>
    case 'list':
      return listOf(token)
    case 'table':
      return <Table table={token} />
    case 'code':
      return (
        <pre className="json" dir="ltr" tabIndex={0}>
          {token.text}
        </pre>
      )
    case 'blockquote':
      return <blockquote>{nodesOf(token.tokens)}</blockquote>
    case 'hr':
      return <hr />
    default:
      return inlineOf(token)
  }
}

function inlineOf(token: Exclude<Known, { type: 'space' | 'heading' | 'paragraph' | 'list' | 'table' | 'code' | 'blockquote' | 'hr' }>) {
  switch (token.type) {
    case 'strong':
      return <strong>{nodesOf(token.tokens)}</strong>
    case 'em':
      return <em>{nodesOf(token.tokens)}</em>
    case 'del':
      return <del>{nodesOf(token.tokens)}</del>
    case 'br':
      return <br />
    case 'codespan':
      return <bdi className="mono">{token.text}</bdi>
    case 'link':
      return linkOf(token)
    default:
      return token.tokens === undefined ? token.text : nodesOf(token.tokens)
  }
}

function linkOf({ href, tokens }: Tokens.Link): ReactNode {
  if (!/^(?:https?:|mailto:)/i.test(href)) return nodesOf(tokens)
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {nodesOf(tokens)}
    </a>
  )
}

function listOf({ ordered, items }: Tokens.List): ReactNode {
  const entries = items.map((item, index) => <li key={index}>{nodesOf(item.tokens)}</li>)
  return ordered ? <ol>{entries}</ol> : <ul>{entries}</ul>
}

function Table({ table }: { readonly table: Tokens.Table }) {
  return (
    <div className="md-scroll" tabIndex={0} role="group">
      <table className="md-table">
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col">
                {nodesOf(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index}>{nodesOf(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
