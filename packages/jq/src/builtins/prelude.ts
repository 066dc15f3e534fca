import { parse } from '#src/syntax/parser.ts'
import type { Definition } from '#src/syntax/ast.ts'

/**
 * Built-ins that are best said in jq itself. Each line is one definition; a definition is copied into its calls, so these cost
 * nothing at run time over writing them out.
 */
const source = `
def error(message): message | error;
def select(f): if f then . else empty end;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type == "array" or type == "object");
def scalars: select(type != "array" and type != "object");
def isfinite: type == "number" and (isinfinite | not);
def finites: select(isfinite);
def normals: select(isnormal);
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def add: add(.[]);
def recurse(f; condition): recurse(f | select(condition));
def any: any(.[]; .);
def any(f): any(.[]; f);
def all: all(.[]; .);
def all(f): all(.[]; f);
def in(container): . as $key | container | has($key);
def inside(whole): . as $part | whole | contains($part);
def IN(stream): any(stream == .; .);
def IN(source; stream): any(source == stream; .);
def INDEX(f): INDEX(.[]; f);
def JOIN($index; f): [.[] | [., $index[f]]];
def JOIN($index; stream; f): stream | [., $index[f]];
def JOIN($index; stream; f; g): stream | [., $index[f]] | g;
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("nth doesn't support negative indices") else first(skip($n; f)) end;
def del(f): delpaths([path(f)]);
def paths: path(..) | select(length > 0);
def paths(f): path(.. | select(f)) | select(length > 0);
def pick(f): . as $whole | reduce path(f) as $path (null; setpath($path; $whole | getpath($path)));
def with_entries(f): to_entries | map(f) | from_entries;
def sort_by(f): _sort_by(map([f]));
def group_by(f): _group_by(map([f]));
def unique_by(f): _unique_by(map([f]));
def min_by(f): _min_by(map([f]));
def max_by(f): _max_by(map([f]));
def combinations: if length == 0 then [] else .[0][] as $head | (.[1:] | combinations) as $tail | [$head] + $tail end;
def combinations(n): . as $whole | [range(n) | $whole] | combinations;
def fromstream(f): {x: null, e: false} as $start
  | foreach f as $event ($start;
      if .e then $start else . end
      | if $event | length == 2
        then setpath(["e"]; $event[0] | length == 0) | setpath(["x"] + $event[0]; $event[1])
        else setpath(["e"]; $event[0] | length == 1) end;
      if .e then .x else empty end);
def truncate_stream(stream): . as $depth | null | stream | . as $event
  | if (.[0] | length) > $depth then setpath([0]; $event[0][$depth:]) else empty end;
def match(re; flags): _match(re; flags; false) | .[];
def match($re): _regex($re) as $given | match($given[0]; $given[1]);
def test(re; flags): _match(re; flags; true);
def test($re): _regex($re) as $given | test($given[0]; $given[1]);
def _captures: reduce (.captures[] | select(.name != null)) as $capture ({}; .[$capture.name] = $capture.string);
def capture(re; flags): match(re; flags) | _captures;
def capture($re): _regex($re) as $given | capture($given[0]; $given[1]);
def scan($re; $flags): match($re; "g" + $flags) | if (.captures | length) > 0 then [.captures[].string] else .string end;
def scan($re): scan($re; null);
def splits($re; $flags): .[foreach (match($re; $flags + "g"), null) as $match
  (null; {start: .next, end: $match.offset, next: ($match | if . == null then null else .offset + .length end)})];
def splits($re): splits($re; null);
def split($re; $flags): [splits($re; $flags)];
def sub($re; replacement; $flags): . as $text
  | (reduce match($re; $flags) as $match ({result: [], previous: 0};
      $text[.previous:$match.offset] as $gap
      | [$match | _captures | replacement] as $insertions
      | reduce range($insertions | length) as $at (.; .result[$at] += $gap + $insertions[$at])
      | .previous = $match.offset + $match.length)
    | .result[] + $text[.previous:]) // $text;
def sub($re; replacement): sub($re; replacement; "");
def gsub($re; replacement; $flags): sub($re; replacement; $flags + "g");
def gsub($re; replacement): sub($re; replacement; "g");
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todateiso8601: todate;
def fromdate: fromdateiso8601;
def date: todate;
def dateadd(unit; n): . + n;
def datesub(unit; n): . - n;
.`

let definitions: ReadonlyMap<string, Definition> | undefined

/** The definition of a built-in that is written in jq. */
export function preludeDefinition(name: string, arity: number): Definition | undefined {
  definitions ??= read()
  return definitions.get(`${name}/${arity}`)
}

export function preludeNames(): readonly string[] {
  definitions ??= read()
  return [...definitions.keys()]
}

function read(): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>()
  for (let node = parse(source); node.kind === 'define'; node = node.body) {
    found.set(`${node.definition.name}/${node.definition.parameters.length}`, node.definition)
  }
  return found
}
