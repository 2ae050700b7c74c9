// Small signs that stand on counters, drawn in lines around the middle, 14 wide.

export type Sign =
  'burst' | 'answer' | 'sword' | 'shield' | 'spade' | 'eye' | 'speed' | 'wheel' | 'clock' | 'down' | 'back'

export const SIGNS: Record<Sign, string> = {
  burst: 'M0 -6 V6 M-5.2 -3 L5.2 3 M5.2 -3 L-5.2 3',
  answer: 'M5 5.5 V1 A4 4 0 0 0 1 -3 H-5 M-2 -6 L-5 -3 L-2 0',
  sword: 'M-5 5 L5.5 -5.5 H2 M5.5 -5.5 V-2 M-5.5 0.5 L-0.5 5.5',
  shield: 'M-5 -5.5 H5 V0 C5 4 2 6 0 7 C-2 6 -5 4 -5 0 Z',
  spade: 'M0 -7 V0 M-3 -7 H3 M-4 0 H4 V3 L0 7 L-4 3 Z',
  eye: 'M-7 0 C-4 -5 4 -5 7 0 C4 5 -4 5 -7 0 Z M-6 6 L6 -6',
  speed: 'M-6 -5 L-1 0 L-6 5 M1 -5 L6 0 L1 5',
  wheel: 'M0 -6 A6 6 0 1 1 -0.01 -6 Z M-4.2 -4.2 L4.2 4.2 M4.2 -4.2 L-4.2 4.2',
  clock: 'M0 -6 A6 6 0 1 1 -0.01 -6 Z M0 -3.5 V0 L3 2',
  down: 'M0 -6 V5 M-4.5 1 L0 6 L4.5 1',
  back: 'M6 0 H-6 M-2 -4.5 L-6 0 L-2 4.5',
}

export interface Mark {
  sign: Sign
  says: string
}
