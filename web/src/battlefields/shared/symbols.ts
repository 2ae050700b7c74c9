// The map symbols that wargamers know, found by what a unit is called or what it is.

export type MapSymbol =
  'infantry' | 'artillery' | 'armour' | 'recon' | 'mortar' | 'machine gun' | 'hero' | 'plain'

const WORDS: readonly [RegExp, MapSymbol][] = [
  [/\b(mortars?)\b/, 'mortar'],
  [
    /\b(guns?|howitzers?|artillery|battery|cannons?|rockets?|siege|breda|archers?|bow\w*|crossbows?|slings?)\b/,
    'artillery',
  ],
  [/\b(hmg|mg|machine guns?)\b/, 'machine gun'],
  [/\b(armou?r|tanks?|vehicles?|panzers?|halftracks?)\b/, 'armour'],
  [/\b(scouts?|recon|riders?|lancers?|cavalry|hussars?)\b/, 'recon'],
  [/\b(hero|champion|prince|king|queen)\b/, 'hero'],
  [
    /\b(rifles?|guards?|militia|infantry|sentr(y|ies)|pickets?|regulars?|rangers?|fj|bazooka|atr|squires?|pages?|shields?|wardens?|engineers?|grenadiers?)\b/,
    'infantry',
  ],
]
const FIRST = /\b(hmg|mg|machine guns?)\b/

/** The symbol for a unit by its names, the first that says something. */
export function symbolFor(...names: (string | undefined)[]): MapSymbol {
  for (const name of names) {
    const words = (name ?? '').toLowerCase().replaceAll(/[_-]/g, ' ')
    if (FIRST.test(words)) return 'machine gun'
    const known = WORDS.find(([word]) => word.test(words))
    if (known) return known[1]
  }
  return 'plain'
}

/** What is drawn inside the box, which is 44 wide and 26 high around the middle. */
export const DRAWN: Record<MapSymbol, string> = {
  infantry: 'M-22 -13 L22 13 M22 -13 L-22 13',
  artillery: 'M0 -5 A5 5 0 1 1 -0.01 -5 Z',
  armour: 'M-7 -7 H7 A7 7 0 0 1 7 7 H-7 A7 7 0 0 1 -7 -7 Z',
  recon: 'M-22 13 L22 -13',
  mortar: 'M0 -10 V4 M-4 -6 L0 -10 L4 -6 M0 4 A3.4 3.4 0 1 1 -0.01 4 Z',
  'machine gun': 'M-22 -13 L22 13 M22 -13 L-22 13 M0 13 V-4 M-4 0 L0 -5 L4 0',
  hero: 'M0 -10 L2.6 -3.2 L9.8 -3 L4.1 1.4 L6.1 8.4 L0 4.3 L-6.1 8.4 L-4.1 1.4 L-9.8 -3 L-2.6 -3.2 Z',
  plain: '',
}

/** MapSymbols that are filled, not drawn in lines. */
export const FILLED: readonly MapSymbol[] = ['artillery', 'hero']
