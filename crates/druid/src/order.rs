//! Putting short lists in order with little code.
//!
//! The sorts of the standard library are compiled anew, five kilobytes each, for every type and every comparison; the
//! console has some forty of them, a fifteenth of what a first visit loads. These are stable and of O(n log n) like
//! those, compile the sorting itself once, and take about twice the time: right for what a person typed or looks at,
//! wrong for the segments of a timeline, which keep the standard ones.

use std::cmp::Ordering;

/// Stable ordering of a slice.
pub trait Order<T> {
    /// By the items' own order.
    fn order(&mut self)
    where
        T: Ord;

    /// By a comparison.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// By a key.
    fn order_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> Order<T> for [T] {
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }

    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut places: Vec<usize> = (0..self.len()).collect();
        let items = &*self;
        sorted(&mut places, &mut |a, b| match (items.get(a), items.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        // Each place now names where its item is: the items move along the cycles of that, each once.
        for start in 0..places.len() {
            let mut at = start;
            while let Some(place) = places.get_mut(at) {
                let from = std::mem::replace(place, at);
                if from == start || from == at {
                    break;
                }
                self.swap(at, from);
                at = from;
            }
        }
    }

    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }
}

/// The one sort.
#[inline(never)]
fn sorted(places: &mut [usize], compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    places.sort_by(|a, b| compare(*a, *b));
}

#[cfg(test)]
mod tests {
    use super::Order;

    #[test]
    fn equal_items_keep_the_order_they_came_in() {
        let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (0, 'd'), (1, 'e'), (2, 'f')];
        items.order_by_key(|item| item.0);
        assert_eq!(items, [(0, 'd'), (1, 'b'), (1, 'e'), (2, 'a'), (2, 'c'), (2, 'f')]);
        let mut texts = vec!["c".to_owned(), "a".to_owned(), "b".to_owned()];
        texts.order();
        assert_eq!(texts, ["a", "b", "c"]);
        let mut none: Vec<u8> = Vec::new();
        none.order();
        assert!(none.is_empty());
    }

    proptest::proptest! {
        #[test]
        fn a_list_is_ordered_as_the_standard_stable_sort_orders_it(items: Vec<(u8, u16)>) {
            let (mut ours, mut theirs) = (items.clone(), items);
            ours.order_by_key(|item| item.0 / 8);
            theirs.sort_by_key(|item| item.0 / 8);
            proptest::prop_assert_eq!(ours, theirs);
        }
    }
}
