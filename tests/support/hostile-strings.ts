import { createRandom, type Random } from './random.ts'

const CODE = ['window.hacked=1', 'alert(1)', "document.title='hacked'", 'parent.hacked=1', 'import("/hacked.js")']
const TAGS = ['script', 'img', 'svg', 'iframe', 'math', 'details', 'video', 'body', 'form', 'a', 'style', 'object']
const HANDLERS = ['onerror', 'onload', 'ontoggle', 'onfocus', 'onmouseover', 'onanimationstart', 'oNeRrOr']
const QUOTES = ['"', "'", '`', '', '&quot;', '”']
const BREAKS = ['\r\n', '\n', '\r', '\t', '\u2028', '\u2029', '\u0085', '\v', '\f']
const HIDDEN = ['\u202E', '\u2066', '\u200B', '\u200D', '\uFEFF', '\u00AD', '\u034F', '\u{E0041}', '\u061C']
const CONTROLS = ['\u0001', '\u0007', '\b', '\u001B[2J', '\u001B]0;hacked\u0007', '\u009B31m', '\u007F', '\u0090q']
const TEMPLATES = ['{{7*7}}', '${7*7}', '<%= 7*7 %>', '#{7*7}', '[[7*7]]', '{%debug%}', '*{7*7}', '%s%n%x', '${jndi:x}']
const SCHEMES = ['javascript:', 'JaVa\tScRiPt:', 'data:text/html,', 'vbscript:', 'java&#10;script:', '//evil.example/']
const QUERIES = [
  "' or 1=1--",
  '"; drop table users;--',
  "') union select 1--",
  '\\',
  '%00',
  '../../etc/passwd',
  '$where',
]
const FORMULAS = ['=1+1', '+1', '-1', '@SUM(1)', '=cmd|x!A0', '\t=1']
const HEADERS = ['\r\nBcc: eve@evil.example', '\nSet-Cookie: a=b', '%0d%0aLocation: //evil.example', '\r\n\r\n<b>']
const WORDS = ['Ada', '‏שלום', 'مرحبا', '用户', 'Z͑ͫ̓a', '👩‍👩‍👧', 'ﬁ', 'İstanbul', '__proto__', 'constructor', 'null', '0']

type Draw = Random
type Recipe = (draw: Draw) => string

const handlerOn: Recipe = ({ pick }) => {
  const quote = pick(QUOTES)
  return `<${pick(TAGS)} src=x ${pick(HANDLERS)}=${quote}${pick(CODE)}${quote}>`
}

const recipes: Recipe[] = [
  ({ pick }) => `<script>${pick(CODE)}</script>`,
  handlerOn,
  (draw) => `${draw.pick(QUOTES)}>${handlerOn(draw)}`,
  (draw) => `</title></textarea></script>${handlerOn(draw)}<!--`,
  ({ pick }) => `<a href=${pick(QUOTES)}${pick(SCHEMES)}${pick(CODE)}>${pick(WORDS)}</a>`,
  ({ pick }) => `${pick(SCHEMES)}${pick(CODE)}`,
  ({ pick }) => `<style>*{background:url(${pick(SCHEMES)}x)}</style><link rel=stylesheet href=//evil.example>`,
  ({ pick }) => `<meta http-equiv=refresh content="0;url=${pick(SCHEMES)}${pick(CODE)}"><base href=//evil.example>`,
  ({ pick }) => `<svg><${pick(TAGS)}><![CDATA[<img src=x onerror=${pick(CODE)}>]]></svg>`,
  ({ pick }) => `&lt;script&gt;${pick(CODE)}&lt;/script&gt;&#60;b&#x3e;&nbsp;&`,
  ({ pick }) => `${pick(WORDS)}${pick(TEMPLATES)}${pick(TEMPLATES)}`,
  ({ pick }) => `${pick(HIDDEN)}${pick(WORDS)}${pick(HIDDEN)}gpj.exe`,
  ({ pick }) => `${pick(WORDS)}${pick(BREAKS)}${pick(WORDS)}`,
  ({ pick }) => `${pick(WORDS)}${pick(CONTROLS)}${pick(WORDS)}`,
  ({ pick }) => `${pick(WORDS)}${pick(QUERIES)}`,
  ({ pick }) => `${pick(FORMULAS)}${pick(WORDS)}`,
  ({ pick }) => `${pick(WORDS)}${pick(HEADERS)}`,
  ({ pick, below }) => pick(WORDS).repeat(20 + below(20)),
  ({ pick }) => `＜script＞${pick(CODE)}＜/script＞ ‹img› ＂ ＇`,
  ({ pick, chance }) => `<<${pick(TAGS)}/${pick(HANDLERS)}=${pick(CODE)}${chance(0.5) ? '//' : '>'}`,
]

/** Attack strings that are valid names: not blank, and at most 255 code points long. */
export function hostileStrings(count: number, seed = 2): string[] {
  const draw = createRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const recipe = recipes[index % recipes.length] ?? handlerOn
    return Array.from(`${index} ${recipe(draw)}`)
      .slice(0, 255)
      .join('')
      .trim()
  })
}
