// Which fields of a battle file are asked for, on a map and without one.

const FACTS = ['range', 'terrain', 'hindering', 'area']
const UNIT = ['card', 'experience', 'damage', 'status']
const MARKS = [
  'attack_die_minus',
  'immobilized',
  'digging_in',
  'dug_in',
  'fast',
  'hiding',
  'hidden',
  'ambush',
  'delayed',
  'fired_this_turn',
  'activated',
]
const ATTACK = ['fire', 'spotted']
const RARE_ATTACK = ['joint', 'in_arc', 'joint_range', 'joint_hindering', 'dice', 'defense']

/** What matters most about a unit. */
export const UNIT_FIELDS = { map: [...UNIT, 'facing'], strip: UNIT }
export const ATTACK_FIELDS = { map: ATTACK, strip: [...ATTACK, ...FACTS] }
export const RARE_ATTACK_FIELDS = { map: [...FACTS, ...RARE_ATTACK], strip: RARE_ATTACK }

/** What a card says else. */
const CARD = [
  'kind',
  'strength',
  'half',
  'move',
  'defense',
  'v_infantry',
  'v_armour',
  'v_indirect',
  'turret',
  'armoured',
  'abilities',
]

export const RARE_FIELDS = {
  map: ['id', 'side', 'at', ...MARKS, ...CARD],
  strip: ['id', 'side', ...MARKS, ...CARD],
}
