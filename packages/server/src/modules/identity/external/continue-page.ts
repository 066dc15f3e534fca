/** A page that leads the browser to another address at once. It contains no script; the link is for browsers that do not refresh. */
export function continuePage(url: string, text: string): string {
  const target = escapeHtml(url)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0;url=${target}">
<title>${escapeHtml(text)}</title>
</head>
<body>
<p><a href="${target}">${escapeHtml(text)}</a></p>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
