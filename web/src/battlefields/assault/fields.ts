// Which fields of a battle file are asked for, on a map and without one.

const FACTS = ['range', 'terrain', 'hindering', 'area']
const UNIT = ['id', 'side', 'card', 'experience', 'damage', 'status']
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
const ATTACK = ['by', 'on', 'fire', 'spotted', 'joint']
const RARE_ATTACK = ['in_arc', 'joint_range', 'joint_hindering', 'dice', 'defense']

export const UNIT_FIELDS = { map: [...UNIT, 'at', 'facing', ...MARKS], strip: [...UNIT, ...MARKS] }
export const ATTACK_FIELDS = { map: ATTACK, strip: [...ATTACK, ...FACTS] }
export const RARE_ATTACK_FIELDS = { map: [...FACTS, ...RARE_ATTACK], strip: RARE_ATTACK }

/** What a card says else. */
export const RARE_FIELDS = [
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
